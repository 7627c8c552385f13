import { existsSync, readdirSync } from "node:fs";
import { join, sep } from "node:path";

const rooms = "src/rooms";
/** As the formatter breaks lines. */
const maxLineWidth = 120;

/** `tools/index.ts` of every room: its tools by name, each loaded on its first call. To add a tool, add a file. */
export function toolLists(): [file: string, text: string][] {
  return readdirSync(rooms)
    .map((room) => join(rooms, room, "tools"))
    .filter((folder) => existsSync(folder))
    .map((folder) => [join(folder, "index.ts"), listOf(folder)]);
}

/** A tool's file is named after it: `claim-ticket.ts` has `claim_ticket`, exported as `claimTicket`. */
function listOf(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(sep).join("/"))
    .filter((file) => /^(?!index\.ts$).*(?<!\.test)\.ts$/.test(file));
  const lines = files
    .map((file) => ({ file, stem: file.slice(file.lastIndexOf("/") + 1, -3) }))
    .sort((a, b) => (a.stem < b.stem ? -1 : 1))
    .map(({ file, stem }) => {
      const exported = stem.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
      const [head, body] = [`  ${stem.replaceAll("-", "_")}: async () =>`, `(await import("./${file}")).${exported},`];
      return `${head} ${body}`.length <= maxLineWidth ? `${head} ${body}` : `${head}\n    ${body}`;
    });
  return `// Made by \`npm run generate\` of the files in this folder.\nexport const tools = {\n${lines.join("\n")}\n};\n`;
}
