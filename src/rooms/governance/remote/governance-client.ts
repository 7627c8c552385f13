import type { z } from "zod";
import { type ApiPath, type RemoteRequest, type RemoteServer, withPrefix } from "../../../commons/remote/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { unexpectedAnswer } from "./errors.ts";

type Method = Parameters<RemoteServer["request"]>[0];

/** Requests to a governance server. Servers of other makes have the same routes with or without `/api`. */
export class GovernanceClient {
  readonly #server: RemoteServer;
  /** Those that may be right, the likeliest first; the one that answered stays. */
  #prefixes: readonly ("" | "/api")[];

  /** `team`: a Forge server, whose address ends in `/api`. `guard`: any governance server, by its root. */
  constructor(server: RemoteServer, kind: "team" | "guard") {
    this.#server = server;
    this.#prefixes = kind === "team" ? [""] : ["/api", ""];
  }

  /** A route that is under `/api` on our servers. */
  async request<Schema extends z.ZodType>(
    method: Method,
    path: ApiPath,
    answer: { schema: Schema; what: string },
    request: RemoteRequest = {},
  ): Promise<z.output<Schema>> {
    let missing: unknown;
    for (const prefix of this.#prefixes) {
      try {
        const value = await this.#ask(method, withPrefix(prefix, path), answer, request);
        this.#prefixes = [prefix];
        return value;
      } catch (error) {
        if (!(error instanceof ForgeError) || !isMissing(error)) throw error;
        // A server of ours says what is missing, so it has the route; of others only the status is known.
        if (error.details?.["status"] === undefined) throw error;
        missing ??= error;
      }
    }
    throw missing;
  }

  /** A route at the server's root. */
  root<Schema extends z.ZodType>(path: ApiPath, answer: { schema: Schema; what: string }, signal: AbortSignal) {
    return this.#ask("GET", path, answer, { signal });
  }

  async #ask<Schema extends z.ZodType>(
    method: Method,
    path: ApiPath,
    { schema, what }: { schema: Schema; what: string },
    request: RemoteRequest,
  ): Promise<z.output<Schema>> {
    const parsed = schema.safeParse(await this.#server.request(method, path, request));
    if (parsed.success) return parsed.data;
    throw unexpectedAnswer(what);
  }
}

function isMissing({ code }: ForgeError): boolean {
  return code === "NOT_FOUND" || code === "CONTRACT_NOT_FOUND";
}
