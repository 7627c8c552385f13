import { ForgeError } from "../../kernel/errors.ts";
import { environment } from "../host/environment.ts";
import { errorCode } from "../host/error-code.ts";

/** What went wrong, for programs; the message is for people. */
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

/** Failures that may not happen again at the next attempt. */
const temporaryReasons = new Set<unknown>(["cut-off", "timeout", "unreachable"]);

/** Names the host and nothing else of the URL: paths and queries may contain secrets. */
export function failure(
  reason: FailureReason,
  url: URL,
  message: string,
  next: string[],
  details: Record<string, unknown> = {},
): ForgeError {
  return new ForgeError("NETWORK_ERROR", message, { details: { reason, host: url.host, ...details }, next });
}

export function isTemporary(error: unknown): boolean {
  return (
    error instanceof ForgeError && error.code === "NETWORK_ERROR" && temporaryReasons.has(error.details?.["reason"])
  );
}

/** No cause is kept: what the system throws may repeat addresses and bytes of the answer. */
export function explainFailure(error: unknown, url: URL): unknown {
  if (error instanceof ForgeError || !(error instanceof Error)) return error;
  const code = errorCode(error) ?? "";
  const { host } = url;
  if (code === "ENOTFOUND") {
    return failure("name", url, `The host ${url.hostname} was not found.`, ["Check the spelling of the address."]);
  }
  if (isCertificateCode(code)) {
    return failure("tls", url, `The certificate of ${host} was not accepted (${code}), so nothing was sent.`, [
      "Check the address and this machine's clock.",
      "If the server uses a certificate of your own authority, set NODE_EXTRA_CA_CERTS to that authority's file.",
    ]);
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL") || code.startsWith("ERR_TLS")) {
    return failure("tls", url, `An encrypted connection to ${host} could not be established (${code}).`, [
      "Check that the port is the one for https.",
    ]);
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return failure("too-large", url, `The headers of the response from ${host} are too large.`, [tryLater]);
  }
  if (code.startsWith("HPE_")) {
    return failure("garbled", url, `The response from ${host} is not HTTP (${code}).`, [
      "Check that a web server is listening on that port.",
      tryLater,
    ]);
  }
  return explainConnection(code, url) ?? explainUnpacking(code, url) ?? error;
}

export function timeoutError(url: URL, what: string, ms: number): ForgeError {
  const time = ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
  return failure("timeout", url, `${url.host} ${what} within ${time}.`, [tryLater]);
}

export const tryLater = "Try again later. If the problem persists, tell the administrator of that server.";

function explainConnection(code: string, url: URL): ForgeError | undefined {
  if (["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE", "ECONNABORTED"].includes(code)) {
    return failure("cut-off", url, `The connection to ${url.host} was closed before the response was complete.`, [
      tryLater,
    ]);
  }
  const why = connectionWords[code];
  if (why === undefined) return undefined;
  return failure("unreachable", url, `${url.host} cannot be reached: ${why}.`, [
    "Check that the server is running, and check the address and port.",
    ...(usesProxy() ? ["A proxy is set in the environment, but Forge does not use it."] : []),
  ]);
}

const connectionWords: Record<string, string> = {
  ECONNREFUSED: "nothing is listening there",
  EHOSTUNREACH: "there is no route to that host",
  ENETUNREACH: "there is no route to that network",
  ENETDOWN: "the network is down",
  ETIMEDOUT: "the connection attempt was not answered",
  EADDRNOTAVAIL: "this machine has no suitable address of its own",
  EAI_AGAIN: "its name cannot be looked up at the moment",
  EAI_FAIL: "its name cannot be looked up",
  EACCES: "this machine forbids the connection",
  EPERM: "this machine forbids the connection",
  EMFILE: "this process has too many open connections and files",
};

function explainUnpacking(code: string, url: URL): ForgeError | undefined {
  if (code === "Z_BUF_ERROR") {
    return failure("cut-off", url, `The compressed response from ${url.host} is incomplete.`, [tryLater]);
  }
  if (!/^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(code)) return undefined;
  return failure("garbled", url, `The compressed response from ${url.host} cannot be decompressed.`, [tryLater]);
}

function isCertificateCode(code: string): boolean {
  return (
    code.includes("CERT") || code.includes("SELF_SIGNED") || code.startsWith("UNABLE_TO_") || code === "INVALID_CA"
  );
}

function usesProxy(): boolean {
  return ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].some((name) => environment[name]);
}
