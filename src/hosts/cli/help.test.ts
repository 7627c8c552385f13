import { expect, test } from "vitest";
import { appAtTerminal, CapturedStream, MemoryApp, run, withoutColours } from "../../../test/harness/cli.ts";
import { commands } from "../../app/commands/index.ts";
import { settingsTable } from "../../app/settings/config.ts";
import { widthOf } from "../../platform/terminal/text.ts";
import { globalOptions } from "./global-options.ts";
import { complete } from "./signature.ts";
import { withParts } from "./subcommands.ts";

const all = await withParts(commands);
const whole = all.map((command) => complete(command, () => new MemoryApp()));
const names = commands.map(({ name }) => name);

test("forge --help", async () => {
  const { out, err, code } = await run("--help");
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toMatchInlineSnapshot(`
    "Forge gives AI coding assistants a project's development context over the Model
    Context Protocol (MCP), and keeps evidence of what they did.

    Usage: forge COMMAND [OPTIONS]

    Start here:
      forge init            Set this project up for your AI assistants
      forge up              Serve this project on this machine, and show how to
                            connect
      forge mcp             Serve this project's tools to an AI assistant over MCP
      forge toolsets        Show which toolsets are served here, why, and at what
                            cost
      forge doctor          Look whether everything Forge needs is in order

    Work on tickets:
      forge list            Find tickets: live on a terminal, as lines on a pipe
      forge show            Show a ticket whole
      forge create          Write a new ticket
      forge edit            Edit a ticket in your editor
      forge execute         Have an assistant carry out a ticket
      forge review          Have an assistant review a ticket and ask its questions
      forge assign          Say whose a ticket is
      forge questions       Show, ask and answer a ticket's questions
      forge complete        Say that a ticket's work is done, and what was done
      forge import          Take in tickets from files
      forge export          Write tickets out, for a file or another program

    Work on tasks:
      forge block           Look at and change the parts that a project's work is
                            divided into
      forge task            Look at and change tasks, and see which can be worked on
      forge run             Start, watch, test and finish the work on tasks

    Look at a project:
      forge status          Show where a project or ticket stands, or move a ticket
      forge log             Show what assistants did here, from the ledger
      forge repository      Show the git repository as an assistant sees it
      forge call            Call any tool from a shell, as an assistant would
      forge prompt          Print a prompt that Forge offers to assistants
      forge resource        Read a resource that Forge offers to assistants

    Work with others:
      forge login           Sign in to a Forge server
      forge logout          Sign out of the Forge server
      forge whoami          Show who you are on the Forge server
      forge invite          Make a link with which somebody joins your team
      forge reset-password  Make a link with which somebody sets a new password
      forge team            List your teams on the server, and make another
      forge token           Make, list and end tokens for programs
      forge push-local      Move this project's own tickets to the Forge server
      forge serve           Run a Forge server for your team

    More:
      forge trust           Let this project's own scripts and hooks be run
      forge untrust         Take back what \`forge trust\` allowed
      forge approve         Allow or refuse a change that waits for a person
      forge completion      Print the script that completes forge in your shell
      forge update-check    Ask the package registry whether there is a newer Forge
      forge version         Print the version of Forge
      forge help            Show what Forge or one of its commands is for

    Options of every command:
          --json             Print the result, or the error, as JSON.
          --log-level LEVEL  How much to say on stderr: silent, error, info or
                             debug.
          --project DIR      The project's folder, instead of the current one.
          --no-color         No colours, even on a terminal.
      -v, --version          Print the version.
      -h, --help             Show help, and do nothing else.

    Read more:
      forge COMMAND --help    What a command is for, its options, and examples.
      ~/.forge/settings.json  Your own defaults, in place of flags and environment
                              variables.
    "
  `);
});

test.each(["", "help", "-h", "help --no-color"])("forge %s shows the same", async (line) => {
  expect(await run(line)).toMatchObject({ out: (await run("--help")).out, code: 0 });
});

test.each(whole)("forge $name --help teaches, in 80 columns", async (command) => {
  const { name } = command;
  const { out, err, code } = await run(`${name} --help`);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(Math.max(...out.split("\n").map(widthOf))).toBeLessThanOrEqual(80);
  expect(out).toContain(`Usage: forge ${name}`);
  expect(out).not.toContain("\x1b");
  for (const option of Object.keys({ ...command.options, ...globalOptions })) expect(out).toContain(`--${option}`);
  for (const [line] of command.examples) expect(out).toContain(line);
  for (const setting of command.settings) expect(Object.keys(settingsTable)).toContain(setting);
  if (command.settings.includes("project")) expect(out).toContain("FORGE_PROJECT");
  expect((await run(`help ${name}`)).out).toBe(out);
  expect((await run(`--help ${name}`)).out).toBe(out);
});

test.each(all.flatMap(({ examples }) => examples.map(([line]) => line)))("the example `%s` runs", async (line) => {
  const words = line.slice(line.lastIndexOf("forge ") + "forge ".length);
  expect(await run(words, { app: appAtTerminal() })).toMatchObject({
    code: 0,
    err: expect.not.stringContaining("error:"),
  });
});

test("summaries and details end and begin alike", () => {
  for (const { summary, details } of all) {
    expect(summary).toMatch(/^[A-Z].*[^.]$/);
    if (details) expect(details).toMatch(/^[A-Z].*\.$/s);
  }
});

test("every option is a whole sentence, and its shape is sound", () => {
  for (const option of whole.flatMap(({ options }) => Object.values(options ?? {}))) {
    expect(option.help).toMatch(/^[A-Z].*[.]$/);
    if (option.optionalValue) expect(option.short).toBeUndefined();
  }
});

test("help of an unknown command is an error that helps", async () => {
  const { code, err } = await run("help tolsets");
  expect(code).toBe(1);
  expect(err).toContain("Did you mean `toolsets`?");
  expect((await run("tolsets --help")).err).toBe(err);
});

test("help as data", async () => {
  const overview = JSON.parse((await run("--help --json")).out);
  expect(overview.commands.map(({ name }: { name: string }) => name)).toEqual(
    names.filter((name) => !name.startsWith("__")),
  );
  const log = JSON.parse((await run("log --help --json")).out);
  expect(log).toMatchObject({ name: "log", options: { limit: { default: 50 } } });
});

test.each([50, 200])("a terminal of %i columns gets bold titles and lines that fit", async (columns) => {
  const stdout = new CapturedStream({ isTTY: true, columns });
  await run("log --help", { stdout });
  expect(stdout.text).toContain("\x1b[1mOptions:\x1b[22m");
  const prose = withoutColours(stdout.text.slice(0, stdout.text.indexOf("Examples:")));
  expect(Math.max(...prose.split("\n").map(widthOf))).toBeLessThanOrEqual(Math.min(80, columns));
});
