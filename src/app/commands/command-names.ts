import type { CommandSource } from "../../commons/cli/app.ts";
import { rooms } from "../../rooms.ts";
import { describeCommandNames } from "../describe-rooms.ts";

/** What a command can be called by, what it is for, and which room has it. */
export type CommandName = CommandSource["names"][number] & { room?: string };

/** The build puts the finished data in this module's place. */
export const commandNames: readonly CommandName[] = await describeCommandNames(rooms);
