import type { App } from "../../commons/cli/app.ts";
import { commonOptionsOf, optionsBeside } from "../../hosts/cli/common-options.ts";
import { findCommand, wordsAfter } from "../../hosts/cli/find-command.ts";
import { usedSettings } from "../../hosts/cli/run-cli.ts";
import { defineCommand } from "../../kernel/definitions/command.ts";
import { settingsSource } from "../settings/source.ts";

export const help = defineCommand({
  name: "help",
  summary: "Show help for Forge or a command",
  examples: [
    ["forge help all", "List all commands."],
    ["forge help settings", "List all settings and environment variables."],
    ["forge help log", "The same as `forge log --help`."],
    ["forge help task list", "Help for a subcommand."],
  ],
  arguments: [{ name: "command", required: false, rest: true, help: "The command, `all` or `settings`." }],
  settings: [],
  group: "more",
  common: true,
  async complete({ commands }: App, { positionals: [name, ...more] }) {
    if (name !== undefined) {
      return more.length > 0 ? [] : wordsAfter(commands.names, name).map((value) => ({ value }));
    }
    const listed = (await commands.facts()).filter((facts) => !facts.hidden && !facts.name.includes(" "));
    const topics = [
      { value: "all", help: "All commands" },
      { value: "settings", help: "Settings and environment variables" },
    ];
    return [...listed.map(({ name: value, summary }) => ({ value, help: summary })), ...topics];
  },
  async run({ commands }: App, { positionals }, out) {
    const { showHelp, showOverview, showSettings } = await import("../../hosts/cli/help.ts");
    const [all, commonOptions] = [await commands.facts(), commonOptionsOf(settingsSource.options)];
    const [first] = positionals;
    if (first === undefined || first === "all")
      return showOverview(all, first === "all" ? "all" : "common", commonOptions, out);
    if (first === "settings") return showSettings(settingsSource.all, "~/.forge/settings.json", out);
    const { name = "help" } = await findCommand(positionals, commands, commonOptions, undefined);
    const { facts } = await commands.load(name);
    const around = { all, commonOptions: optionsBeside(facts, commonOptions) };
    return showHelp(facts, { ...around, variables: settingsSource.variables(usedSettings(facts)) }, out);
  },
});
