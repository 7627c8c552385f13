import type { App } from "../../../commons/cli/app.ts";
import type { Command } from "../../../kernel/definitions/command.ts";
import { doctor } from "./doctor.ts";
import { init } from "./init.ts";
import { updateCheck } from "./update-check.ts";

export const commands: Command<App>[] = [init, doctor, updateCheck];
