import type { App } from "../../../commons/cli/app.ts";
import type { Command } from "../../../kernel/command.ts";
import { list } from "./list.ts";

export const commands: Command<App>[] = [list];
