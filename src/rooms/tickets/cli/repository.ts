import { commandFor } from "../../../commons/cli/command-for.ts";
import type { Output } from "../../../kernel/definitions/command.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { RepositoryContext } from "../model/repository-context.ts";
import type { getRepositoryContext } from "../tools/get-repository-context.ts";

const maxPathsPerKind = 10;
const kinds = ["staged", "modified", "untracked"] as const;

export const repository = commandFor<typeof getRepositoryContext>({
  tool: "get_repository_context",
  name: "repository",
  summary: "Show the git repository as an assistant sees it",
  details:
    "The branch, the changes and the files at HEAD. Nothing in the repository is executed (no hooks, no filters), and changes in submodules are not shown.",
  examples: [
    ["forge repository", "The repository of the current folder."],
    ["forge repository --json", "The same, exactly as an assistant gets it."],
  ],
  settings: ["project", "databaseUrl", "ledgerDays"],
  group: "look",
  options: { path: { path: "folder", help: "Any folder in the repository (default: the current one)." } },
  print: (context, out) => out.print(describeRepository(context, out)),
});

function describeRepository(context: RepositoryContext, { style }: Output): string {
  const { branch, workingDirectory, status, fileTree, omitted } = context;
  const changes = kinds.flatMap((kind) => changeLines(kind, status[kind], omitted?.[kind] ?? 0));
  return [
    `Branch:  ${style.bold(plain(branch))}`,
    `Root:    ${plain(workingDirectory)}`,
    ...(changes.length > 0 ? ["Changes:", ...changes] : ["Changes: none"]),
    ...treeLines(fileTree, omitted?.files ?? 0),
  ].join("\n");
}

function changeLines(kind: string, paths: readonly string[], omitted: number): string[] {
  const total = paths.length + omitted;
  if (total === 0) return [];
  const shown = paths.slice(0, maxPathsPerKind);
  const more = total - shown.length;
  return [
    `  ${kind} (${total})`,
    ...shown.map((path) => `    ${plain(path)}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

/** Files counted by their top folder; the complete tree is for assistants. If it was cut, its last line says so. */
function treeLines(tree: string, omitted: number): string[] {
  const lines = tree.split("\n").filter((line) => line !== "");
  const paths = omitted > 0 ? lines.slice(0, -1) : lines;
  if (paths.length === 0) return ["Files:   none"];
  const counts = new Map<string, number>();
  for (const path of paths) {
    const top = path.includes("/") ? `${path.slice(0, path.indexOf("/"))}/` : path;
    counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  return [
    "Files:",
    ...[...counts].map(([top, files]) => `  ${plain(top)}${top.endsWith("/") ? ` (${files})` : ""}`),
    ...(omitted > 0 ? [`  and ${omitted} more files`] : []),
  ];
}
