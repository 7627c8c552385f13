import { Writable } from "node:stream";
import { catalog } from "../src/app/catalog.ts";
import type { App } from "../src/hosts/cli/app.ts";
import { commands } from "../src/hosts/cli/commands/index.ts";
import { withParts } from "../src/hosts/cli/parts.ts";
import { runCli } from "../src/hosts/cli/run-cli.ts";
import { Redactor } from "../src/kernel/redact.ts";

/** docs/cli.md: every command's own help. */
export async function cliPage(): Promise<string> {
  const listed = await withParts(commands.filter(({ hidden }) => !hidden));
  const pages: string[] = [];
  for (const { name } of listed) pages.push(`## forge ${name}\n\n${await help(name)}`);
  return `# The command line

Generated from the commands by \`npm run generate\`; do not edit. \`forge help COMMAND\` shows the same.

Every tool, prompt and resource that assistants get is also a command away: \`forge call\`, \`forge prompt\` and \`forge resource\`.
\`--json\` makes any command print its result, or its error, as JSON on stdout; words for people go to stderr. Exit codes: 0 for success, 1
for something you can correct, 2 for a server, network or store that failed, and 128 plus the signal's number where a call was cut off.

${await help()}

${pages.join("\n\n")}
`;
}

async function help(command?: string): Promise<string> {
  let text = "";
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += String(chunk);
      done();
    },
  });
  const code = await runCli(() => app, command === undefined ? ["--help"] : [...command.split(" "), "--help"], {
    stdout,
    stderr: stdout,
    binary: "forge",
    env: {},
    settingsFile: undefined,
    redactor: new Redactor(),
    signal: new AbortController().signal,
  });
  if (code !== 0) throw new Error(`forge ${command} --help failed: ${text}`);
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

/** Help asks the program for nothing else than the tools' schemas. */
const app = {
  toolInput(name: string) {
    const tool = catalog.flatMap(({ tools }) => tools).find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`no such tool: ${name}`);
    return tool;
  },
} as unknown as App;
