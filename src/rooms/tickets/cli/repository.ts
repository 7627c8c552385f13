import { commandFromTool } from "../../../commons/cli/command-for.ts";
import { fields, text, texts } from "../../../commons/cli/json-fields.ts";
import type { Output } from "../../../kernel/command.ts";
import { plain } from "../../../platform/terminal/text.ts";

const shownPerKind = 10;
const kinds = ["staged", "modified", "untracked"] as const;

export const repository = commandFromTool("repository", "get_repository_context", {
  summary: "Show the git repository as an assistant sees it",
  examples: [
    ["forge repository", "Branch, changes and files of the current folder's repository."],
    ["forge repository --json", "The same, exactly as an assistant gets it."],
  ],
  settings: ["project", "databaseUrl", "ledgerDays"],
  group: "look",
  print: describeRepository,
});

function describeRepository(result: unknown, { style }: Output): string {
  const { branch, workingDirectory, status, fileTree, omitted } = fields(result);
  const leftOut = fields(omitted);
  const changes = kinds.flatMap((kind) => changesOf(kind, texts(fields(status)[kind]), count(leftOut[kind])));
  const { files } = leftOut;
  return [
    `Branch:  ${style.bold(plain(text(branch)))}`,
    `Root:    ${plain(text(workingDirectory))}`,
    ...(changes.length > 0 ? ["Changes:", ...changes] : ["Changes: none"]),
    ...describeTree(text(fileTree), count(files)),
  ].join("\n");
}

function changesOf(kind: string, paths: string[], leftOut: number): string[] {
  const total = paths.length + leftOut;
  if (total === 0) return [];
  const shown = paths.slice(0, shownPerKind);
  const more = total - shown.length;
  return [
    `  ${kind} (${total})`,
    ...shown.map((path) => `    ${plain(path)}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

/** Files counted by their first folder: the whole tree is for assistants. Where some were left out, its last line says so. */
function describeTree(tree: string, leftOut: number): string[] {
  const lines = tree.split("\n").filter((line) => line !== "");
  const paths = leftOut > 0 ? lines.slice(0, -1) : lines;
  if (paths.length === 0) return ["Files:   none"];
  const counts = new Map<string, number>();
  for (const path of paths) {
    const top = path.includes("/") ? `${path.slice(0, path.indexOf("/"))}/` : path;
    counts.set(top, (counts.get(top) ?? 0) + 1);
  }
  return [
    "Files:",
    ...[...counts].map(([top, files]) => `  ${plain(top)}${top.endsWith("/") ? ` (${files})` : ""}`),
    ...(leftOut > 0 ? [`  and ${leftOut} more files`] : []),
  ];
}

function count(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
