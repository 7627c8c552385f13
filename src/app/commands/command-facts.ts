import type { CommandFacts } from "../../kernel/definitions/command.ts";
import { rooms } from "../../rooms.ts";
import { describeCommands } from "../describe-rooms.ts";

/** Every command as data. The build puts the finished data in this module's place. */
export const commandFacts: readonly CommandFacts[] = await describeCommands(rooms);
