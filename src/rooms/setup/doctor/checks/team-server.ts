import { ForgeError } from "../../../../kernel/errors.ts";
import { checksStopped } from "../../errors.ts";
import type { Check, CheckResult } from "../model.ts";

const patienceMs = 5_000;

/** The server that a team's tickets come from: does it answer, and does it accept the sign-in? */
export const teamServer: Check = {
  id: "team-server",
  title: "Team server",
  async look({ ports, signal }) {
    if (!ports.teamServer) return undefined;
    const late = AbortSignal.timeout(patienceMs);
    try {
      const answer = await ports.teamServer(AbortSignal.any([signal, late]));
      if (!answer) return { state: "ok", message: "Not signed in. Tickets come from this project." };
      const team = answer.team === undefined ? "" : `, team ${answer.team}`;
      return {
        state: "ok",
        message: `${answer.server} answers. Signed in with ${answer.by} as ${answer.email}${team}.`,
      };
    } catch (error) {
      if (signal.aborted) throw checksStopped();
      if (late.aborted) return noAnswer;
      if (error instanceof ForgeError && error.code === "NETWORK_ERROR") return away(error);
      throw error;
    }
  },
};

const meanwhile = "Until it answers, tickets are shown from the last copy and cannot be changed.";

const noAnswer: CheckResult = {
  state: "problem",
  message: `It did not answer within ${patienceMs / 1_000} seconds. ${meanwhile}`,
  next: ["Try again later. If it keeps failing, tell the person who runs the server."],
};

function away({ message, next = [] }: ForgeError): CheckResult {
  return { state: "problem", message: `${message} ${meanwhile}`, next };
}
