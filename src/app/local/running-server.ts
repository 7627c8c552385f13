import { createHash } from "node:crypto";
import { Fetcher } from "../../platform/fetch/fetcher.ts";
import { isAlive } from "../../platform/host/lifecycle.ts";
import { readServerMark, type ServerMark } from "../../platform/state/marks.ts";

const patienceMs = 3_000;
const ports = { first: 7_717, count: 283 } as const;

/** The project's own port: the same at every start, and rarely that of another project. */
export function choosePort(projectRoot: string): number {
  const number = createHash("sha256").update(projectRoot).digest().readUInt32BE();
  return ports.first + (number % ports.count);
}

/** This project's server, if one is running and answers. */
export async function findRunningServer(stateDir: string, signal: AbortSignal): Promise<ServerMark | undefined> {
  const mark = readServerMark(stateDir);
  if (!mark || mark.pid === process.pid || !isAlive(mark.pid)) return undefined;
  const fetcher = new Fetcher({ log: () => undefined });
  const options = { allowPrivate: [mark.url], timeoutMs: patienceMs, attempts: 1, signal };
  try {
    const response = await fetcher.request("GET", `${mark.url}/`, options);
    return response.text().includes("<title>Forge") ? mark : undefined;
  } catch {
    return undefined;
  } finally {
    fetcher.close();
  }
}
