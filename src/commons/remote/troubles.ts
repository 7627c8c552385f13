import { ForgeError } from "../../kernel/errors.ts";
import type { FetchResponse } from "../../platform/fetch/response.ts";
import type { ServerAddress } from "./address.ts";
import { foreignWords, ourError } from "./error-bodies.ts";

/** What was asked, as far as it matters to what is said when it fails. */
export type Asked = { address: ServerAddress; writes: boolean };

/** Reasons of the fetch door that mean the request never left. */
const unsent = new Set<unknown>(["unreachable", "name", "tls", "address", "insecure"]);
const unusableAnswers = new Set<unknown>(["cut-off", "garbled", "too-large", "not-json"]);

const nothingHappened = "Nothing was changed and nothing is queued.";
const outcomeUnknown = "Whether the change was made is not known.";
const lookFirst = "Look at what is there before trying again.";

/** No answer came, or none that can be used. What is not the network's fault goes through as it is. */
export function noAnswer(error: unknown, { address: { origin }, writes }: Asked): unknown {
  if (!(error instanceof ForgeError) || error.code !== "NETWORK_ERROR") return error;
  const reason = error.details?.["reason"];
  const head = unusableAnswers.has(reason)
    ? `The answer of the Forge server at ${origin} cannot be used.`
    : `Cannot reach the Forge server at ${origin}.`;
  const known = unsent.has(reason);
  const tail = writes ? [known ? nothingHappened : outcomeUnknown] : [];
  return new ForgeError("NETWORK_ERROR", [head, error.message, ...tail].join(" "), {
    details: { ...error.details, server: origin, ...(writes && { outcome: known ? "unchanged" : "unknown" }) },
    next: [...(writes && !known ? [lookFirst] : []), ...(error.next ?? [])],
  });
}

/** The error that an answer other than a success is. */
export function refusalIn(response: FetchResponse, asked: Asked): ForgeError {
  const { status } = response;
  const { origin } = asked.address;
  if (status >= 500) return serverFailed(response, asked);
  if (status === 429) return tooMany(response, origin);
  const ours = ourError(response);
  if (ours && status >= 400) return ours;
  const said = foreignWords(response);
  const words = (plain: string) => (said.text === undefined ? plain : `${plain.slice(0, -1)}: ${said.text}`);
  const details = { status, server: origin, ...(said.error !== undefined && { error: said.error }) };
  if (status === 403) {
    return new ForgeError("PERMISSION_DENIED", words("The server does not allow you to do this."), {
      details,
      next: ["Ask an admin of the team for the right, or sign in as somebody who has it: `forge login`."],
    });
  }
  if (status === 404 || status === 410) {
    return new ForgeError("NOT_FOUND", words("The server has nothing there."), {
      details,
      next: ["Check the id, and with `forge whoami` the team you are signed in to."],
    });
  }
  if (status === 409 || status === 412) {
    return new ForgeError("CONFLICT_ERROR", words("It was changed meanwhile, so nothing was written."), {
      details,
      next: ["Read it again, decide whether your change still fits, and send it once more."],
    });
  }
  if (status >= 400 && status !== 405 && status !== 408) {
    return new ForgeError("VALIDATION_ERROR", words("The server refused the request."), {
      details,
      next: ["Correct what it names, and try again."],
    });
  }
  return new ForgeError("NETWORK_ERROR", `The server at ${origin} gave an unexpected answer (status ${status}).`, {
    details: { reason: "status", ...details },
    next: ["Check that the address is a Forge server's and ends in /api."],
  });
}

function serverFailed(response: FetchResponse, { address: { origin }, writes }: Asked): ForgeError {
  const ours = ourError(response);
  const what = ours ? ` ${ours.message}` : "";
  const unknown = writes && !ours;
  return new ForgeError(
    "NETWORK_ERROR",
    `The Forge server at ${origin} failed (status ${response.status}).${what}${unknown ? ` ${outcomeUnknown}` : ""}`,
    {
      details: {
        ...ours?.details,
        reason: "server",
        status: response.status,
        server: origin,
        ...(unknown && { outcome: "unknown" }),
      },
      next: [...(unknown ? [lookFirst] : []), "Try again later; if it stays so, tell whoever runs that server."],
    },
  );
}

function tooMany({ headers }: FetchResponse, origin: string): ForgeError {
  const wait = retryAfterMs(headers["retry-after"]);
  const seconds = wait === undefined ? undefined : Math.ceil(wait / 1_000);
  return new ForgeError("NETWORK_ERROR", `The Forge server at ${origin} is being asked too often. Nothing was done.`, {
    details: { reason: "rate-limit", status: 429, server: origin, ...(seconds !== undefined && { seconds }) },
    next: [seconds === undefined ? "Try again in a while." : `Try again in ${seconds} s.`],
  });
}

/** How long a server asks to wait. Dates are not followed: they would be compared with this machine's clock. */
export function retryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1_000 : undefined;
}
