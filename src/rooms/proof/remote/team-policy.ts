import type * as z from "zod";
import { path, type RemoteServer } from "../../../commons/remote/index.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import { unexpectedPolicy } from "../model/errors.ts";
import { teamPolicy } from "../model/schemas.ts";

type Policy = z.output<typeof teamPolicy>;

/** The policy of the user's team, on its server. */
export class RemoteTeamPolicy {
  readonly #server: RemoteServer;

  constructor(server: RemoteServer) {
    this.#server = server;
  }

  /** Sets what is given; with nothing given it only reads. */
  async policy(wanted: { [Key in keyof Policy]?: Policy[Key] | undefined }, call: Call): Promise<Policy> {
    const body = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const { signal, principal: by } = call;
    const isRead = Object.keys(body).length === 0;
    const answer = await this.#server
      .request(isRead ? "GET" : "PATCH", path`/proof/policy`, isRead ? { signal } : { body, by, signal })
      .catch((error) => {
        throw error instanceof ForgeError && error.code === "NOT_FOUND" ? unexpectedPolicy() : error;
      });
    const parsed = teamPolicy.safeParse(answer);
    if (!parsed.success) throw unexpectedPolicy();
    return parsed.data;
  }

  /**
   * Whether the caller's token is one that an admin created for CI. Neither a person's sign-in, nor a person at a terminal, nor an
   * assistant ever is, whatever the server says of the token: that would spare questions which are the person's.
   */
  async isCi({ signal, principal, record }: Pick<Call, "signal" | "principal" | "record">): Promise<boolean> {
    if (principal.atKeyboard || record.kind !== "command" || !(await this.#server.identity()).isGiven) return false;
    const me = await this.#server.request("GET", path`/me`, { signal });
    return isRecord(me) && Array.isArray(me["scopes"]) && me["scopes"].includes("proof:write");
  }
}
