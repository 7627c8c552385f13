import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { programFile } from "../../scripts/program-file.ts";

type Diagnostic = { category: string; location: { path: string } };

/** What our linter says of files that exist only in a tree of their own: rules by path. */
export function lint(files: Record<string, string>): Map<string, string[]> {
  const tree = mkdtempSync(join(tmpdir(), "forge-lint-"));
  try {
    writeFileSync(join(tree, "biome.json"), settings());
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), text);
    }
    const args = [programFile("biome"), "lint", "--reporter=json", "--max-diagnostics=none", "src"];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: tree, encoding: "utf8" });
    if (!stdout.startsWith("{")) throw new Error(`biome did not lint: ${stderr}`);
    const { diagnostics }: { diagnostics: Diagnostic[] } = JSON.parse(stdout);
    const found = new Map<string, string[]>(Object.keys(files).map((path) => [path, []]));
    for (const { category, location } of diagnostics) found.get(location.path)?.push(category.split("/").at(-1) ?? "");
    return found;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

/** Ours, but for the list of ignored files: the tree is in no repository. */
function settings(): string {
  const ours: Record<string, unknown> = JSON.parse(readFileSync("biome.json", "utf8"));
  return JSON.stringify({ ...ours, $schema: undefined, vcs: undefined });
}
