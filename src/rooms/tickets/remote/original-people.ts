import { path, type RemoteServer } from "../../../commons/remote/index.ts";
import { isRecord } from "../reading/loose.ts";

/** Who is who on a server that assigns by ids only. */
export class OriginalPeople {
  readonly #server: RemoteServer;

  constructor(server: RemoteServer) {
    this.#server = server;
  }

  /** The id behind a name; what is no member's name is taken for an id. */
  async idOf(person: string): Promise<string> {
    const { team } = await this.#server.identity();
    const answer = team === undefined ? undefined : await this.#server.request("GET", path`/teams/${team}/members`);
    const members = isRecord(answer) && Array.isArray(answer["members"]) ? answer["members"].filter(isRecord) : [];
    const found = members.find(({ displayName, email }) => displayName === person || email === person);
    return typeof found?.["userId"] === "string" ? found["userId"] : person;
  }
}
