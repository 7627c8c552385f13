import { understandScript } from "../../../../commons/test-runs/project/test-script.ts";
import {
  jsonTable,
  keysOf,
  type Manifest,
  type PackageKind,
  type Surroundings,
  tableIn,
  textIn,
  textsIn,
} from "../manifest.ts";

const managers: [lockFile: string, run: string][] = [
  ["pnpm-lock.yaml", "pnpm run"],
  ["yarn.lock", "yarn run"],
  ["bun.lock", "bun run"],
  ["bun.lockb", "bun run"],
  ["package-lock.json", "npm run"],
];
const knownManager = /^(npm|pnpm|yarn|bun)@/;

export function readPackageJson(text: string, around: Surroundings): Manifest {
  const manifest = jsonTable(text);
  const scripts = tableIn(manifest, "scripts");
  const script = textIn(scripts, "test");
  return {
    ecosystem: "javascript",
    name: textIn(manifest, "name"),
    dependencies: ["dependencies", "peerDependencies", "optionalDependencies"].flatMap((kind) =>
      keysOf(tableIn(manifest, kind)),
    ),
    devDependencies: keysOf(tableIn(manifest, "devDependencies")),
    members: [...textsIn(manifest["workspaces"]), ...textsIn(tableIn(manifest, "workspaces")["packages"])],
    test: script === undefined ? undefined : understandScript(script.slice(0, 2_000))?.runner,
    build: textIn(scripts, "build") === undefined ? undefined : `${runnerOf(manifest, around)} build`,
    kind: kindOf(manifest),
  };
}

/** Only the names of workspaces are of interest, and they are a plain list. */
export function readPnpmWorkspace(text: string): Manifest {
  const lines = text.split("\n").slice(0, 1_000);
  const start = lines.findIndex((line) => line.startsWith("packages:"));
  const rest = start === -1 ? [] : lines.slice(start + 1);
  const end = rest.findIndex((line) => line.trim() !== "" && !/^[ \t#-]/.test(line));
  const items = (end === -1 ? rest : rest.slice(0, end)).map((line) => line.trim());
  const members = items.filter((line) => line.startsWith("-")).map((line) => unquoted(line.slice(1)));
  return { ecosystem: "javascript", dependencies: [], devDependencies: [], members };
}

function unquoted(item: string): string {
  const [text = ""] = item.split(" #");
  return text.trim().replace(/^["']/, "").replace(/["']$/, "");
}

function runnerOf(manifest: Record<string, unknown>, { hasAbove }: Surroundings): string {
  const [, named] = knownManager.exec(textIn(manifest, "packageManager") ?? "") ?? [];
  if (named !== undefined) return `${named} run`;
  return managers.find(([lockFile]) => hasAbove(lockFile))?.[1] ?? "npm run";
}

function kindOf(manifest: Record<string, unknown>): PackageKind | undefined {
  if (textIn(manifest, "bin") !== undefined || keysOf(tableIn(manifest, "bin")).length > 0) return "CLI";
  const isOffered = ["exports", "module", "types", "typings"].some((name) => manifest[name] !== undefined);
  return isOffered || (manifest["main"] !== undefined && manifest["private"] !== true) ? "library" : undefined;
}
