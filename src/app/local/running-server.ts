import { createHash, randomBytes } from "node:crypto";
import { Fetcher } from "../../platform/fetch/fetcher.ts";
import { isAlive } from "../../platform/host/lifecycle.ts";
import { challengeHeader, proofHeader, proveLink } from "../../platform/secrets/link-token.ts";
import { readServerMark, type ServerMark } from "../../platform/state/server-mark.ts";

const patienceMs = 3_000;
const ports = { first: 7_717, count: 283 } as const;

/** The project's own port: the same at every start, and rarely that of another project. */
export function choosePort(projectRoot: string): number {
  const number = createHash("sha256").update(projectRoot).digest().readUInt32BE();
  return ports.first + (number % ports.count);
}

/** `isProven`: it knows the token of the project's board. Any program could listen where the project's files say that Forge does. */
export type RunningServer = ServerMark & { isProven: boolean };

/** This project's server, if one is running and answers. */
export async function findRunningServer(
  stateDir: string,
  token: string | undefined,
  signal: AbortSignal,
): Promise<RunningServer | undefined> {
  const mark = readServerMark(stateDir);
  if (!mark || mark.pid === process.pid || !isAlive(mark.pid)) return undefined;
  const fetcher = new Fetcher({ log: () => undefined });
  const challenge = randomBytes(16).toString("hex");
  const headers = { [challengeHeader]: challenge };
  const options = { allowPrivate: [mark.url], timeoutMs: patienceMs, attempts: 1, signal, headers };
  try {
    const response = await fetcher.request("GET", `${mark.url}/`, options);
    if (!response.text().includes("<title>Forge")) return undefined;
    return { ...mark, isProven: isProof(response.headers[proofHeader], mark.url, { token, challenge }) };
  } catch {
    return undefined;
  } finally {
    fetcher.close();
  }
}

/** Of a name nobody can say which address a browser will open, so only a server at an address can prove that it is there. */
function isProof(
  proof: string | undefined,
  url: string,
  { token, challenge }: { token: string | undefined; challenge: string },
): boolean {
  const { hostname, port } = new URL(url);
  const address = hostname.replace(/^\[|\]$/g, "");
  if (token === undefined || address === "localhost") return false;
  return proof === proveLink(token, challenge, { address, port: Number(port) });
}
