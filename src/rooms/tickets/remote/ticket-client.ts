import { path, type RemoteServer } from "../../../commons/remote/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import type { Tickets } from "../service/tickets.ts";

/** The API of one kind of server. Ids are well-formed when they get here. */
export type TicketClient = Omit<Tickets, "watch"> & {
  /** Whether it supports claims, so that a process can hold one while it runs. */
  hasClaims: boolean;
  /** Calls back when this ticket, or any, was changed, until the signal ends it. */
  follow(id: string | undefined, changed: () => void, signal: AbortSignal): Promise<void>;
};

/**
 * Whether it is a Forge server: only those answer who the user is, or refuse to with a Forge error. Throws if no answer
 * can be had.
 */
export async function isForgeServer(server: RemoteServer, me?: Promise<unknown>): Promise<boolean> {
  try {
    const answer = await (me ?? server.request("GET", path`/me`));
    return isRecord(answer) && "user" in answer && "team" in answer;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    if (error.code === "NOT_FOUND") return error.details?.["status"] === undefined;
    throw error;
  }
}
