import { path, type RemoteServer } from "../../../commons/remote/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { Tickets } from "../service/tickets.ts";

/** How one kind of server is spoken to. Ids are well-formed by the time they get here. */
export type TicketClient = Omit<Tickets, "watch"> & {
  /** Claims exist, so that one can be kept for as long as a process runs. */
  hasClaims: boolean;
  /** Calls back when this ticket, or any, was changed by anybody, until the signal ends it. */
  follow(id: string | undefined, changed: () => void, signal: AbortSignal): Promise<void>;
};

/**
 * Whether it is a server of ours: those alone say who one is, or refuse to in the words of a Forge error. What prevents an
 * answer is thrown.
 */
export async function isForgeServer(server: RemoteServer, asked?: Promise<unknown>): Promise<boolean> {
  try {
    const answer = await (asked ?? server.request("GET", path`/me`));
    return answer !== null && typeof answer === "object" && "user" in answer && "team" in answer;
  } catch (error) {
    if (!(error instanceof ForgeError)) throw error;
    if (error.code === "NOT_FOUND") return error.details?.["status"] === undefined;
    throw error;
  }
}
