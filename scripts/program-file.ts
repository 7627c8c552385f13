import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const packages: Record<string, string> = { biome: "@biomejs/biome", tsc: "typescript" };

/** The JavaScript file of a package's program: on Windows, `.bin` contains shell scripts. */
export function programFile(program: string): string {
  const manifest = join(import.meta.dirname, "..", "node_modules", packages[program] ?? program, "package.json");
  const { bin }: { bin: string | Record<string, string> } = JSON.parse(readFileSync(manifest, "utf8"));
  const file = typeof bin === "string" ? bin : bin[program];
  if (file === undefined) throw new Error(`${manifest} has no program ${program}`);
  return join(dirname(manifest), file);
}
