import type { App } from "../../../commons/cli/app.ts";
import type { Command } from "../../../kernel/definitions/command.ts";
import { blockCommands } from "./block/index.ts";
import { runCommands } from "./run/index.ts";
import { taskCommands } from "./task/index.ts";

export const commands: Command<App>[] = [...blockCommands, ...taskCommands, ...runCommands];
