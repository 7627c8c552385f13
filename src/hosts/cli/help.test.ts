import { expect, test } from "vitest";
import { CapturedStream, run, withoutColours, wordsOf } from "../../../test/harness/cli/cli.ts";
import { commandFacts } from "../../app/commands/command-facts.ts";
import { commandSource } from "../../app/commands/command-source.ts";
import { settingsTable } from "../../app/settings/settings-table.ts";
import { settingsSource } from "../../app/settings/source.ts";
import { widthOf } from "../../platform/terminal/text.ts";
import { commonOptionsOf } from "./common-options.ts";
import { findCommand } from "./find-command.ts";
import { parseArguments } from "./parse.ts";

const global = commonOptionsOf(settingsSource.options);
const listed = commandFacts.all().filter(({ hidden }) => !hidden);

test("forge --help shows the common commands, one line each, and fits a terminal of 80 by 24", async () => {
  const { out, err, code } = await run("--help");
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(out).toContain("Usage: forge COMMAND [OPTIONS]\n\nCommands:\n");
  expect(out).toContain("\n  forge init            Connect your AI assistants to this project\n");
  expect(out).toContain("\n  forge help all        All commands.\n");
  const lines = out.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(80);
  const common = commandFacts.all().filter((facts) => facts.common);
  for (const { name, summary } of common)
    expect(
      lines.filter((line) => line.endsWith(summary)),
      name,
    ).toHaveLength(1);
  expect(common.length).toBeLessThanOrEqual(14);
});

test("forge help all shows every command by group, and the options of all", async () => {
  const { out } = await run("help all");
  for (const title of ["Start here:", "Project:", "Team:", "More:", "Options of every command:", "Read more:"]) {
    expect(out).toContain(`\n${title}\n`);
  }
  for (const { name } of listed.filter((facts) => !facts.name.includes(" "))) expect(out).toContain(`  forge ${name} `);
  expect(out).not.toContain("__complete");
  expect(Math.max(...out.split("\n").map(widthOf))).toBeLessThanOrEqual(80);
});

test.each(["help", "-h", "help --no-color"])("forge %s shows the same as --help", async (line) => {
  expect(await run(line)).toMatchObject({ out: (await run("--help")).out, code: 0 });
});

test.each(listed)("forge $name --help fits 80 columns and names everything it takes", async (facts) => {
  const { name } = facts;
  const { out, err, code } = await run(`${name} --help`);
  expect({ err, code }).toEqual({ err: "", code: 0 });
  expect(Math.max(...out.split("\n").map(widthOf))).toBeLessThanOrEqual(80);
  expect(out).toContain(`Usage: forge ${name}`);
  expect(out).not.toContain("\x1b");
  const options = Object.entries({ ...facts.options, ...global });
  for (const [option, { negatable }] of options) expect(out).toContain(negatable ? `--[no-]${option}` : `--${option}`);
  for (const [line] of facts.examples) expect(out).toContain(line);
  for (const setting of facts.settings) expect(Object.keys(settingsTable)).toContain(setting);
  if (facts.settings.includes("project")) expect(out).toContain("FORGE_PROJECT");
  expect((await run(`help ${name}`)).out).toBe(out);
  expect((await run(`--help ${name}`)).out).toBe(out);
});

test("a group alone shows its commands", async () => {
  const { out, code } = await run("token");
  expect(code).toBe(0);
  expect(out).toContain("Usage: forge token COMMAND [OPTIONS]");
  expect(out).toContain("forge token revoke  Revoke an API token");
  expect((await run("token --help")).out).toBe(out);
});

test("every example is a command line that is understood", async () => {
  for (const [line] of listed.flatMap(({ examples }) => examples)) {
    const [command = ""] = line.slice(line.lastIndexOf("forge ") + "forge ".length).split(" > ");
    const typed = wordsOf(command);
    const { name = "", rest } = await findCommand(typed, commandSource, global, undefined);
    const { facts } = await commandSource.load(name);
    if (!facts.isGroup) parseArguments(name, facts, rest, global);
  }
});

test("summaries are labels, details are sentences", () => {
  for (const { name, summary, details } of listed) {
    expect(summary, name).toMatch(/^[A-Z].*[^.]$/);
    if (details) expect(details, name).toMatch(/^[A-Z].*\.$/s);
  }
});

test("every option is a full sentence, and its shape is sound", () => {
  for (const { name, options = {} } of commandFacts.all()) {
    for (const option of Object.values(options)) {
      expect(option.help, name).toMatch(/^[A-Z`"].*[.]$/s);
      if (option.optionalValue) expect(option.short).toBeUndefined();
    }
  }
});

test("help of an unknown command is an error that helps", async () => {
  const { code, err } = await run("help tolsets");
  expect(code).toBe(1);
  expect(err).toContain("Did you mean `toolsets`?");
  expect((await run("tolsets --help")).err).toBe(err);
});

test("help as data", async () => {
  const { commands } = (await run("help all --json")).json() as { commands: { name: string }[] };
  const names = listed.map(({ name }) => name).filter((name) => !name.includes(" "));
  expect(commands.map(({ name }) => name).sort()).toEqual(names.sort());
  expect((await run("log --help --json")).json()).toMatchObject({ name: "log", options: { limit: { default: 50 } } });
  expect((await run("token --help --json")).json()).toMatchObject({
    name: "token",
    commands: [{ name: "token create" }, { name: "token list" }, { name: "token revoke" }],
  });
});

test.each([50, 200])("a terminal of %i columns gets bold titles and lines that fit", async (columns) => {
  const stdout = new CapturedStream({ isTTY: true, columns });
  await run("log --help", { stdout });
  expect(stdout.text).toContain("\x1b[1mOptions:\x1b[22m");
  const prose = withoutColours(stdout.text.slice(0, stdout.text.indexOf("Examples:")));
  expect(Math.max(...prose.split("\n").map(widthOf))).toBeLessThanOrEqual(Math.min(80, columns));
});
