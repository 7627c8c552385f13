import type { Origin, Role, SignedIn, Team } from "../../../commons/people.ts";
import { requireName } from "../model/fields.ts";
import { requireAdmin } from "../model/roles.ts";
import type { Audit } from "../service/audit.ts";
import type { AccessStore } from "../store/store.ts";
import type { Grants } from "../tokens/grants.ts";

/** The teams of a server, as far as the caller is in them. */
export class Teams {
  readonly #store: AccessStore;
  readonly #grants: Grants;
  readonly #audit: Audit;

  constructor(store: AccessStore, grants: Grants, audit: Audit) {
    this.#store = store;
    this.#grants = grants;
    this.#audit = audit;
  }

  /** The caller's teams. An API token works in one team only, and shows no other. */
  async list(by: SignedIn): Promise<(Team & { role: Role })[]> {
    return this.#store.database.read(async (db) => {
      const isPerson = (await this.#grants.byId(db, by.tokenId))?.kind === "sign-in";
      const found: (Team & { role: Role })[] = [];
      for (const id of isPerson ? await this.#store.teamsOf(db, by.user.id) : [by.team.id]) {
        const team = await this.#store.team(db, id);
        const member = await this.#store.member(db, id, by.user.id);
        if (team && member) found.push({ ...team, role: member.role });
      }
      return found;
    });
  }

  /** Another team on the same server, with the caller as its admin. */
  async create(by: SignedIn, text: string, from: Origin): Promise<Team> {
    requireAdmin(by, "access:write");
    const name = requireName("team's name", text);
    return this.#store.database.transaction(async (tx) => {
      await this.#store.requireStillAdmin(tx, by);
      await this.#grants.requirePerson(tx, by);
      const team = await this.#store.addTeam(tx, name);
      await this.#store.addMember(tx, team.id, by.user.id, "admin");
      const event = { actor: by.user.email, action: "team.added", target: team.id, details: { name } };
      await this.#audit.add(tx, [team.id, by.team.id], from, event);
      return team;
    });
  }
}
