import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Hop } from "./types.ts";

const idleMs = 10_000;

/**
 * Open connections, kept for the next request. A connection to a private address is used only by requests that may have one,
 * and one that was used before only by requests that can be repeated: the server may be closing it at this moment.
 */
export class Connections {
  readonly #agents = new Map<string, HttpAgent>();
  readonly #authorities: readonly string[] | undefined;

  constructor(authorities: readonly string[] | undefined) {
    this.#authorities = authorities;
  }

  agentFor({ url, mayBePrivate }: Hop, keepAlive: boolean): HttpAgent {
    const key = `${url.protocol} ${mayBePrivate} ${keepAlive}`;
    const known = this.#agents.get(key);
    if (known) return known;
    const options = { keepAlive, maxFreeSockets: 8, timeout: idleMs };
    const agent = url.protocol === "https:" ? new HttpsAgent({ ...options, ...this.#tls() }) : new HttpAgent(options);
    this.#agents.set(key, agent);
    return agent;
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
    this.#agents.clear();
  }

  /** Said outright, so that no variable of the environment can switch the check off. */
  #tls() {
    return {
      rejectUnauthorized: true,
      minVersion: "TLSv1.2" as const,
      ...(this.#authorities && { ca: [...this.#authorities] }),
    };
  }
}
