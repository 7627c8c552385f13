import type * as z from "zod";
import { path, type RemoteServer } from "../../../commons/remote/index.ts";
import type { Call } from "../../../kernel/calls/call.ts";
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
    const answer =
      Object.keys(body).length === 0
        ? await this.#server.request("GET", path`/proof/policy`, { signal })
        : await this.#server.request("PATCH", path`/proof/policy`, { body, by, signal });
    const parsed = teamPolicy.safeParse(answer);
    if (!parsed.success) throw unexpectedPolicy();
    return parsed.data;
  }
}
