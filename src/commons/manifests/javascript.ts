import { parseTestScript } from "../test-runs/project/test-script.ts";
import {
  getFacts,
  getTable,
  getText,
  listKeys,
  type Manifest,
  type ManifestFolder,
  type PackageKind,
  parseJsonTable,
  toRuntime,
  toTexts,
} from "./manifest.ts";

const managers: [lockFile: string, run: string][] = [
  ["pnpm-lock.yaml", "pnpm run"],
  ["yarn.lock", "yarn run"],
  ["bun.lock", "bun run"],
  ["bun.lockb", "bun run"],
  ["package-lock.json", "npm run"],
];
const knownManager = /^(npm|pnpm|yarn|bun)@/;

export function readPackageJson(text: string, around: ManifestFolder): Manifest {
  const manifest = parseJsonTable(text);
  const scripts = getTable(manifest, "scripts");
  const script = getText(scripts, "test");
  return {
    ecosystem: "javascript",
    ...getFacts(manifest),
    runtime: toRuntime("Node.js", getText(getTable(manifest, "engines"), "node")),
    dependencies: ["dependencies", "peerDependencies", "optionalDependencies"].flatMap((kind) =>
      listKeys(getTable(manifest, kind)),
    ),
    devDependencies: listKeys(getTable(manifest, "devDependencies")),
    supported: ["peerDependencies", "optionalDependencies"].flatMap((kind) => listKeys(getTable(manifest, kind))),
    members: [...toTexts(manifest["workspaces"]), ...toTexts(getTable(manifest, "workspaces")["packages"])],
    test: script === undefined ? undefined : parseTestScript(script.slice(0, 2_000))?.runner,
    testCommand:
      script === undefined ? undefined : `${findRunner(manifest, around).replace(/^(npm|pnpm|yarn) run/, "$1")} test`,
    build: getText(scripts, "build") === undefined ? undefined : `${findRunner(manifest, around)} build`,
    kind: detectKind(manifest),
  };
}

/** Only the names of workspaces are of interest, and they are a plain list. */
export function readPnpmWorkspace(text: string): Manifest {
  const lines = text.split("\n").slice(0, 1_000);
  const start = lines.findIndex((line) => line.startsWith("packages:"));
  const rest = start === -1 ? [] : lines.slice(start + 1);
  const end = rest.findIndex((line) => line.trim() !== "" && !/^[ \t#-]/.test(line));
  const items = (end === -1 ? rest : rest.slice(0, end)).map((line) => line.trim());
  const members = items.filter((line) => line.startsWith("-")).map((line) => unquote(line.slice(1)));
  return { ecosystem: "javascript", dependencies: [], devDependencies: [], members };
}

function unquote(item: string): string {
  const [text = ""] = item.split(" #");
  return text.trim().replace(/^["']/, "").replace(/["']$/, "");
}

function findRunner(manifest: Record<string, unknown>, { hasAbove }: ManifestFolder): string {
  const [, named] = knownManager.exec(getText(manifest, "packageManager") ?? "") ?? [];
  if (named !== undefined) return `${named} run`;
  return managers.find(([lockFile]) => hasAbove(lockFile))?.[1] ?? "npm run";
}

function detectKind(manifest: Record<string, unknown>): PackageKind | undefined {
  if (getText(manifest, "bin") !== undefined || listKeys(getTable(manifest, "bin")).length > 0) return "CLI";
  const isOffered = ["exports", "module", "types", "typings"].some((name) => manifest[name] !== undefined);
  return isOffered || (manifest["main"] !== undefined && manifest["private"] !== true) ? "library" : undefined;
}
