/**
 * Writes generated files: each room's list of tools from its files, then docs/tools.md, docs/cli.md and one snapshot per tool from
 * the definitions. With `--check` it writes nothing and fails if a file is out of date.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { toolLists } from "./tool-lists.ts";

const snapshots = "test/contract/tools";
const isCheck = process.argv.includes("--check");
let failures = 0;

for (const [file, text] of toolLists()) put(file, text);
// After the lists are written, because the definitions are found through them.
const { catalog } = await import("../src/app/catalog.ts");
const { toolsPage } = await import("./tools-page.ts");
put("docs/tools.md", toolsPage(catalog));
const { cliPage } = await import("./cli-page.ts");
put("docs/cli.md", cliPage());
const entries = catalog.flatMap(({ tools }) => tools);
for (const tool of entries) put(join(snapshots, `${tool.name}.json`), `${JSON.stringify(tool, null, 2)}\n`);
const known = new Set(entries.map(({ name }) => `${name}.json`));
for (const file of existsSync(snapshots) ? readdirSync(snapshots) : [])
  if (!known.has(file)) drop(join(snapshots, file));
const { allExpressions, isSafe, readSafeExpressions, safeExpressionsFile } = await import(
  "../test/contract/expressions.ts"
);
const safe = readSafeExpressions();
const checked = [...allExpressions()].filter(([hash, expression]) => safe.has(hash) || isSafe(expression));
put(safeExpressionsFile, `${JSON.stringify(checked.map(([hash]) => hash).sort(), null, 2)}\n`);
process.exitCode = failures > 0 ? 1 : 0;

function put(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  if (isCheck) complain(file);
  else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function drop(file: string): void {
  if (isCheck) complain(file);
  else rmSync(file);
}

function complain(file: string): void {
  failures++;
  console.error(`${file} is not current: run npm run generate`);
}
