import { Fetcher } from "../../../../platform/fetch/fetcher.ts";
import { isAlive } from "../../../../platform/host/lifecycle.ts";
import { readServerMark, removeServerMark } from "../../../../platform/state/server-mark.ts";
import type { Check } from "../model.ts";

const patienceMs = 3_000;

/** A `forge up` of this project: is it running, and does it answer? */
export const server: Check = {
  id: "server",
  title: "Local server",
  async look({ project: { stateDir }, signal }) {
    const mark = readServerMark(stateDir);
    if (!mark) return { state: "ok", message: "Not running. Assistants that use stdio do not need it." };
    if (!isAlive(mark.pid)) {
      return {
        state: "warning",
        message: `A server that was killed left its address behind (${mark.url}).`,
        next: [{ command: "up", why: "to start it again" }],
        fix() {
          removeServerMark(stateDir);
          return "Removed the old address.";
        },
      };
    }
    if (await answers(mark.url, signal)) {
      return { state: "ok", message: `Forge ${mark.version} answers at ${mark.url}.` };
    }
    return {
      state: "warning",
      message: `Forge ${mark.version} is running (process ${mark.pid}) but does not answer at ${mark.url}.`,
      next: ["Stop it with Ctrl+C in its terminal.", { command: "up", why: "to start it again" }],
    };
  },
};

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  const fetcher = new Fetcher({ log: () => undefined });
  const options = { allowPrivate: [url], timeoutMs: patienceMs, attempts: 1, signal };
  try {
    const response = await fetcher.request("GET", `${url}/`, options);
    const isOurs = response.text().includes("<title>Forge");
    // Without the project's token it shows only how to get in.
    return isOurs && (response.ok || response.status === 401);
  } catch {
    return false;
  } finally {
    fetcher.close();
  }
}
