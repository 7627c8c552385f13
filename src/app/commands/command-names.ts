import { rooms } from "../../rooms.ts";
import { describeCommandNames } from "../describe-rooms.ts";

/** What a command can be called by, and which room has it. */
export type CommandName = { name: string; aliases: readonly string[]; room?: string; hidden?: true; isGroup?: true };

/** The build puts the finished data in this module's place. */
export const commandNames: readonly CommandName[] = await describeCommandNames(rooms);
