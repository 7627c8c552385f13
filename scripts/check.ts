/** Runs all checks that do not run the program, in parallel; prints only failures. */
import { spawn } from "node:child_process";
import { programFile } from "./program-file.ts";

const checks: [name: string, command: string[]][] = [
  ["format and lint", ["biome", "check"]],
  ["types", ["tsc"]],
  ["types of the board", ["tsc", "-p", "src/web"]],
  ["plan", ["vitest", "run", "test/architecture"]],
  ["unused code", ["knip"]],
  ["code that only tests use", ["knip", "--production", "--config", "knip.production.jsonc", "--include", "files"]],
  ["project rules", ["tsx", "scripts/governance.ts"]],
  ["generated files", ["tsx", "scripts/generate.ts", "--check"]],
];

const results = await Promise.all(checks.map(([name, command]) => run(name, command)));
process.exitCode = results.every(Boolean) ? 0 : 1;

function run(name: string, [program = "", ...args]: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [programFile(program), ...args], {
      env: { ...process.env, FORGE_TEST_BARE: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    child.on("close", (code) => {
      console.log(code === 0 ? `ok      ${name}` : `FAILED  ${name}\n${output.trim()}\n`);
      resolve(code === 0);
    });
  });
}
