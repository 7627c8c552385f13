import { ForgeError } from "../../kernel/errors.ts";
import { environment } from "../host/env.ts";
import { errorCode } from "../host/error-code.ts";

/** What went wrong, for programs; the message says it to people. */
export type FailureReason =
  | "address"
  | "cut-off"
  | "garbled"
  | "insecure"
  | "name"
  | "not-json"
  | "redirect"
  | "timeout"
  | "tls"
  | "too-large"
  | "unreachable";

/** Failures that may be over at the next attempt. */
const passing = new Set<unknown>(["cut-off", "timeout", "unreachable"]);

/** Says which host, and nothing else of the address: paths and queries may hold secrets. */
export function failure(
  reason: FailureReason,
  url: URL,
  message: string,
  next: string[],
  details: Record<string, unknown> = {},
): ForgeError {
  return new ForgeError("NETWORK_ERROR", message, { details: { reason, host: url.host, ...details }, next });
}

export function mayPass(error: unknown): boolean {
  return error instanceof ForgeError && error.code === "NETWORK_ERROR" && passing.has(error.details?.["reason"]);
}

/** No cause is kept: what the system throws may repeat addresses and bytes of the answer. */
export function explain(error: unknown, url: URL): unknown {
  if (error instanceof ForgeError || !(error instanceof Error)) return error;
  const code = errorCode(error) ?? "";
  const { host } = url;
  if (code === "ENOTFOUND") {
    return failure("name", url, `There is no host named ${url.hostname}.`, ["Check the address for a misspelling."]);
  }
  if (isCertificateCode(code)) {
    return failure("tls", url, `The certificate of ${host} was not accepted (${code}), so nothing was sent.`, [
      "Check the address and this machine's clock.",
      "Where the server has your own authority's certificate, let NODE_EXTRA_CA_CERTS name that authority's file.",
    ]);
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL") || code.startsWith("ERR_TLS")) {
    return failure("tls", url, `No encrypted connection to ${host} could be made (${code}).`, [
      "Check that the port is the one for https.",
    ]);
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return failure("too-large", url, `The headers of the answer from ${host} are too large.`, [askTheOwner]);
  }
  if (code.startsWith("HPE_")) {
    return failure("garbled", url, `What ${host} answered is not HTTP (${code}).`, [
      "Check that the port is a web server's.",
      askTheOwner,
    ]);
  }
  return explainConnection(code, url) ?? explainUnpacking(code, url) ?? error;
}

export function tooSlow(url: URL, what: string, ms: number): ForgeError {
  const time = ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
  return failure("timeout", url, `${url.host} ${what} within ${time}.`, [askTheOwner]);
}

export const askTheOwner = "Try again later; if it stays so, tell whoever runs that server.";

function explainConnection(code: string, url: URL): ForgeError | undefined {
  if (["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE", "ECONNABORTED"].includes(code)) {
    return failure("cut-off", url, `The connection to ${url.host} was cut off before the answer was complete.`, [
      askTheOwner,
    ]);
  }
  const why = connectionWords[code];
  if (why === undefined) return undefined;
  return failure("unreachable", url, `${url.host} cannot be reached: ${why}.`, [
    "Check that the server runs, and the address and port.",
    ...(usesProxy() ? ["A proxy is set in the environment; Forge connects directly and does not use it."] : []),
  ]);
}

const connectionWords: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  EHOSTUNREACH: "there is no way to that host",
  ENETUNREACH: "there is no way to that network",
  ENETDOWN: "the network is down",
  ETIMEDOUT: "the connection attempt was not answered",
  EADDRNOTAVAIL: "this machine has no fitting address of its own",
  EAI_AGAIN: "its name could not be looked up at the moment",
  EAI_FAIL: "its name could not be looked up",
  EACCES: "this machine forbids the connection",
  EPERM: "this machine forbids the connection",
  EMFILE: "this process has too many connections and files open",
};

function explainUnpacking(code: string, url: URL): ForgeError | undefined {
  if (code === "Z_BUF_ERROR") {
    return failure("cut-off", url, `The compressed answer from ${url.host} ends in the middle.`, [askTheOwner]);
  }
  if (!/^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(code)) return undefined;
  return failure("garbled", url, `The compressed answer from ${url.host} cannot be unpacked.`, [askTheOwner]);
}

function isCertificateCode(code: string): boolean {
  return (
    code.includes("CERT") || code.includes("SELF_SIGNED") || code.startsWith("UNABLE_TO_") || code === "INVALID_CA"
  );
}

function usesProxy(): boolean {
  return ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].some((name) => environment[name]);
}
