import type { Action } from "../../kernel/action.ts";
import { ForgeError } from "../../kernel/errors.ts";
import type { FetchResponse } from "../../platform/fetch/response.ts";
import type { ServerAddress } from "./address.ts";
import { readForeignError, readForgeError } from "./error-bodies.ts";
import { retryAfterMs } from "./retry-after.ts";

/** What an error needs to know of a request. */
export type RequestContext = { address: ServerAddress; writes: boolean };

/** Reasons that mean that the request was not sent. */
const unsent = new Set<unknown>(["unreachable", "name", "tls", "address", "insecure"]);
const unusableAnswers = new Set<unknown>(["cut-off", "garbled", "too-large", "not-json"]);

const nothingHappened = "Nothing was changed and nothing is queued.";
const outcomeUnknown = "It is not known whether the change was made.";
const checkFirst = "Check the current state before you try again.";

const checkAddress = "Check that the address is the address of a Forge server and ends in /api.";

const login: Action = { command: "login", why: "to sign in" };

/** No answer came, or none that can be used. Anything but a network error is returned as it is. */
export function explainNoAnswer(error: unknown, { address: { origin }, writes }: RequestContext): unknown {
  if (!(error instanceof ForgeError) || error.code !== "NETWORK_ERROR") return error;
  const reason = error.details?.["reason"];
  const head = unusableAnswers.has(reason)
    ? `The response of the Forge server at ${origin} cannot be used.`
    : `Cannot reach the Forge server at ${origin}.`;
  const known = unsent.has(reason);
  const tail = writes ? [known ? nothingHappened : outcomeUnknown] : [];
  return new ForgeError("NETWORK_ERROR", [head, error.message, ...tail].join(" "), {
    details: { ...error.details, server: origin, ...(writes && { outcome: known ? "unchanged" : "unknown" }) },
    next: [...(writes && !known ? [checkFirst] : []), ...(error.next ?? [])],
  });
}

/** The error for a response other than a success. */
export function errorFromResponse(response: FetchResponse, asked: RequestContext): ForgeError {
  const { status } = response;
  const { origin } = asked.address;
  if (status >= 500) return serverFailed(response, asked);
  if (status === 429) return tooMany(response, origin);
  const ours = readForgeError(response);
  if (ours && status >= 400) return new ForgeError(ours.code, ours.message, ours);
  const said = readForeignError(response);
  const words = (plain: string) => (said.text === undefined ? plain : `${plain.slice(0, -1)}: ${said.text}`);
  const details = { status, server: origin, ...(said.error !== undefined && { error: said.error }) };
  if (status === 403) {
    return new ForgeError("PERMISSION_DENIED", words("The server does not allow you to do this."), {
      details,
      next: ["Ask an admin of the team for permission.", { command: "login", why: "to sign in as another user" }],
    });
  }
  if (status === 404 || status === 410) {
    return new ForgeError("NOT_FOUND", words("Not found on the server."), {
      details,
      next: ["Check the id.", { command: "whoami", why: "to check which team you are signed in to" }],
    });
  }
  if (status === 409 || status === 412) {
    return new ForgeError("CONFLICT_ERROR", words("It was changed in the meantime, so nothing was written."), {
      details,
      next: ["Read it again, check whether your change still applies, and send it again."],
    });
  }
  if (status >= 400 && status !== 405 && status !== 408) {
    return new ForgeError("VALIDATION_ERROR", words("The server rejected the request."), {
      details,
      next: ["Correct the request, and try again."],
    });
  }
  return new ForgeError("NETWORK_ERROR", `The server at ${origin} gave an unexpected response (status ${status}).`, {
    details: { reason: "status", ...details },
    next: [checkAddress],
  });
}

function serverFailed(response: FetchResponse, { address: { origin }, writes }: RequestContext): ForgeError {
  const ours = readForgeError(response);
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
      next: [
        ...(unknown ? [checkFirst] : []),
        "Try again later. If the problem persists, tell the administrator of that server.",
      ],
    },
  );
}

function tooMany({ headers }: FetchResponse, origin: string): ForgeError {
  const wait = retryAfterMs(headers["retry-after"]);
  const seconds = wait === undefined ? undefined : Math.ceil(wait / 1_000);
  return new ForgeError("NETWORK_ERROR", `Too many requests to the Forge server at ${origin}. Nothing was done.`, {
    details: { reason: "rate-limit", status: 429, server: origin, ...(seconds !== undefined && { seconds }) },
    next: [seconds === undefined ? "Try again in a while." : `Try again in ${seconds} s.`],
  });
}

export function wrongContentType(type: string, status: number): ForgeError {
  return new ForgeError("NETWORK_ERROR", `Expected JSON, but the response has the type ${type.slice(0, 60)}.`, {
    details: { reason: "not-json", status },
    next: [checkAddress],
  });
}

export function invalidAddress(source: string, why: string): ForgeError {
  return new ForgeError(
    "CONFIG_ERROR",
    `${source} is not the address of a Forge server: ${why}. Expected https://host/api.`,
    { details: { source }, next: [`Correct ${source}.`] },
  );
}

export function tokenWithoutServer(): ForgeError {
  return new ForgeError("CONFIG_ERROR", "FORGE_TOKEN is set, but FORGE_API_URL is not.", {
    next: ["Set FORGE_API_URL to the server's address, https://host/api, or unset FORGE_TOKEN."],
  });
}

export function notSignedIn(message: string, next: readonly Action[] = [login]): ForgeError {
  return new ForgeError("AUTH_REQUIRED", message, { next });
}

export function signedInElsewhere(origin: string, wanted: string): ForgeError {
  return notSignedIn(`You are signed in to ${origin}, but FORGE_API_URL is set to ${wanted}.`, [
    { command: "login --replace", why: `to sign in to ${wanted} instead` },
    `Unset FORGE_API_URL to continue with ${origin}.`,
  ]);
}

export function sessionExpired(): ForgeError {
  return notSignedIn("Your session has expired.", [{ command: "login", why: "to sign in again" }]);
}

export function tokenNotAccepted(): ForgeError {
  return new ForgeError("AUTH_REQUIRED", "The token in FORGE_TOKEN is not accepted.", {
    next: [
      "It may have expired or been revoked.",
      { command: "token create NAME", why: "to create another, or ask an admin of the team" },
      "Check that FORGE_API_URL is the server that it was created on.",
    ],
  });
}

export function loginFileIsLink(file: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} is a symbolic link; a sign-in must be in a regular file.`, {
    details: { file, found: "link" },
    next: [
      { command: "logout", why: "to remove the link, and not what it leads to" },
      login,
      "To keep the sign-in, replace the link with the file itself.",
    ],
  });
}

export function unusableLoginFile(file: string, why: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} cannot be used: ${why}.`, {
    details: { file },
    next: [{ command: "login", why: "to sign in again and write the file" }],
  });
}

export function noNewToken(): ForgeError {
  return new ForgeError("NETWORK_ERROR", "It gave no new token when asked for one.", {
    details: { reason: "garbled" },
    next: [{ command: "login", why: "to sign in again" }],
  });
}

export function unusableName(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "An id cannot be empty or consist of dots.", {
    next: ["Give the id as a list shows it."],
  });
}

export function noLedger(origin: string): ForgeError {
  return new ForgeError("NOT_FOUND", `The server at ${origin} has no ledger.`);
}

/** Tickets of one team must not turn up in another's. */
/** Going on with the project's own tickets would split the team's work in two. */
export function linkedSignedOut(linked: string): ForgeError {
  return notSignedIn(`This project is linked to ${linked}, but you are not signed in there.`, [
    { command: `login --url ${linked}`, why: "to sign in" },
    { command: "unlink", why: "to use the project's own tickets" },
  ]);
}

export function linkedElsewhere(linked: string, signedIn: string): ForgeError {
  return new ForgeError("AUTH_REQUIRED", `This project is linked to ${linked}, but you are signed in to ${signedIn}.`, {
    details: { linked, signedIn },
    next: [
      { command: `login --url ${linked} --replace`, why: "to sign in to the project's server" },
      { command: "link", why: "to link the project to the server that you are signed in to" },
      { command: "unlink", why: "to use the project's own tickets" },
    ],
  });
}
