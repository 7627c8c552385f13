import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

const rooms = "src/rooms";

/** `tools/index.ts` of every room: the list of the tools in its folder, so that adding a tool is adding a file. */
export function toolLists(): [file: string, text: string][] {
  return readdirSync(rooms)
    .map((room) => join(rooms, room, "tools"))
    .filter((folder) => existsSync(folder))
    .map((folder) => [join(folder, "index.ts"), listOf(folder)]);
}

function listOf(folder: string): string {
  const files = readdirSync(folder).filter((file) => /^(?!index\.ts$).*(?<!\.test)\.ts$/.test(file));
  // Without the ending, as the formatter sorts them.
  const stems = files.map((file) => file.slice(0, -3)).sort();
  const names = stems.map((stem) => stem.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
  const imports = stems.map((stem, index) => `import { ${names[index]} } from "./${stem}.ts";`);
  return `// Made by \`npm run generate\` of the files in this folder.\n${imports.join("\n")}\n\n${list(names)}\n`;
}

/** On one line where the formatter would put it there. */
function list(names: string[]): string {
  const line = `export const tools = [${names.join(", ")}];`;
  return line.length <= 120 ? line : `export const tools = [\n${names.map((name) => `  ${name},\n`).join("")}];`;
}
