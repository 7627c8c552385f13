import type { App } from "../../../commons/cli/app.ts";
import { type Command, defineGroup } from "../../../kernel/definitions/command.ts";
import { configCommands } from "./config-commands.ts";
import { definitionCommands } from "./definition-commands.ts";
import { forkCommands } from "./fork-commands.ts";
import { pluginCommands } from "./plugin-commands.ts";
import { supplyCommands } from "./supply-commands.ts";

const registry = defineGroup<App>({
  name: "registry",
  summary: "Find, install and share agents, tools and plugins",
  details: "Also as `fractary-forge`: `fractary-forge agent-list` is the same as `forge registry agent-list`.",
  examples: [["forge registry agent-list", "The agents of this project, your own, and those of registries."]],
  group: "more",
});

export const commands: Command<App>[] = [
  registry,
  ...definitionCommands,
  ...pluginCommands,
  ...supplyCommands,
  ...forkCommands,
  ...configCommands,
];
