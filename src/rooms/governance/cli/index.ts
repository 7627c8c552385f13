import type { App } from "../../../commons/cli/app.ts";
import type { Command } from "../../../kernel/definitions/command.ts";
import { artifactCommands } from "./artifact/index.ts";
import { buildCommands } from "./build/index.ts";
import { governanceCommands } from "./governance/index.ts";
import { projectCommands } from "./project/index.ts";

export const commands: Command<App>[] = [
  ...governanceCommands,
  ...projectCommands,
  ...buildCommands,
  ...artifactCommands,
];
