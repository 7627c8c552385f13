import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licences of bundled packages, which must be distributed with the bundle. */
export function noticesFor(inputs: string[]): string {
  const folders = new Set(inputs.map(packageFolder).filter((folder) => folder !== undefined));
  const parts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<
      string,
      string
    >;
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), "utf8").trim() : "No licence file is shipped with it."}`;
  });
  return `The program contains code of these packages.\n\n${parts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** `node_modules/@scope/name` of a file below it. */
function packageFolder(file: string): string | undefined {
  const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  return folder !== undefined && existsSync(join(folder, "package.json")) ? folder : undefined;
}
