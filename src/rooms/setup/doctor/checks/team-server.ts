import { ForgeError } from "../../../../kernel/errors.ts";
import type { Check, Seen } from "../model.ts";

const patienceMs = 5_000;

/** The server that a team's tickets come from: does it answer, and does it accept the sign-in? */
export const teamServer: Check = {
  id: "team-server",
  title: "Team's server",
  async look({ ports, signal }) {
    if (!ports.teamServer) return undefined;
    const late = AbortSignal.timeout(patienceMs);
    try {
      const seen = await ports.teamServer(AbortSignal.any([signal, late]));
      if (!seen) return { state: "ok", message: "Nobody is signed in to one; tickets are this project's own." };
      const team = seen.team === undefined ? "" : `, team ${seen.team}`;
      return { state: "ok", message: `${seen.server} answers; signed in by ${seen.by} as ${seen.email}${team}.` };
    } catch (error) {
      signal.throwIfAborted();
      if (late.aborted) return noAnswer;
      if (error instanceof ForgeError && error.code === "NETWORK_ERROR") return away(error);
      throw error;
    }
  },
};

const meanwhile = "Until it answers, tickets are shown from the last copy, and nothing can be changed.";

const noAnswer: Seen = {
  state: "problem",
  message: `It did not answer within ${patienceMs / 1_000} seconds. ${meanwhile}`,
  mend: ["Try again later; if it stays so, tell whoever runs that server."],
};

function away({ message, next = [] }: ForgeError): Seen {
  return { state: "problem", message: `${message} ${meanwhile}`, mend: next };
}
