import { path, type RemoteServer } from "../../../../commons/remote/index.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { isRecord } from "../../../../kernel/json.ts";
import type { Ticket } from "../../model/ticket.ts";
import { textOf } from "../../reading/loose.ts";
import { ambiguousMember } from "../errors.ts";

type Member = { id: string; names: string[] };

const membersValidMs = 60_000;

/**
 * The members of a server that assigns by ids only. The user is known by the id of their sign-in: the server may spell their
 * name differently, and other members may share it.
 */
export class AecPeople {
  readonly #server: RemoteServer;
  #known: { at: number; members: Member[] } | undefined;

  constructor(server: RemoteServer) {
    this.#server = server;
  }

  /** The id of a member by name; any other text is taken for an id. */
  async idOf(person: string): Promise<string> {
    const { userId, name } = await this.#server.identity();
    if (userId !== undefined && (person === name || person === userId)) return userId;
    const members = await this.#members(false);
    if (members.some(({ id }) => id === person)) return person;
    const [found, ...others] = members.filter(({ names }) => names.includes(person));
    if (found && others.length > 0) throw ambiguous(person, [found, ...others]);
    return found?.id ?? person;
  }

  /** The name that a person's tickets show here, given their name or id. */
  async nameFor(person: string): Promise<string> {
    try {
      const id = await this.idOf(person);
      return (await this.#names([id]))(id) ?? person;
    } catch (error) {
      if (error instanceof ForgeError && error.code === "VALIDATION_ERROR") throw error;
      return person;
    }
  }

  /** The same tickets with names in place of ids, as far as the server tells them. */
  async withNames<T extends Ticket>(tickets: T[]): Promise<T[]> {
    const nameOf = await this.#names(tickets.flatMap(({ assignee }) => assignee ?? []));
    return tickets.map((ticket) => {
      const name = ticket.assignee === undefined ? undefined : nameOf(ticket.assignee);
      return name === undefined ? ticket : { ...ticket, assignee: name };
    });
  }

  async #names(ids: string[]): Promise<(id: string) => string | undefined> {
    const { userId, name } = await this.#server.identity();
    const members = ids.every((id) => id === userId) ? [] : await this.#members(true).catch(noMembers);
    const others = members.filter(({ id }) => id !== userId);
    const ownNames = [name, ...(members.find(({ id }) => id === userId)?.names ?? [])];
    // A name that two members share identifies neither.
    const isUnique = (text: string) =>
      !ownNames.includes(text) && others.filter(({ names }) => names.includes(text)).length === 1;
    const nameById = new Map(others.map(({ id, names }) => [id, names.find(isUnique)]));
    return (id) => (id === userId ? (name ?? ownNames[1]) : nameById.get(id));
  }

  async #members(aside: boolean): Promise<Member[]> {
    const now = performance.now();
    if (this.#known && now - this.#known.at < membersValidMs) return this.#known.members;
    const { team } = await this.#server.identity();
    if (team === undefined) return [];
    const answer = await this.#server.request("GET", path`/teams/${team}/members`, { aside });
    const listed = isRecord(answer) && Array.isArray(answer["members"]) ? answer["members"].filter(isRecord) : [];
    const members = listed.flatMap(({ userId, displayName, email }) => {
      const names = [textOf(displayName), textOf(email)].filter((text) => text !== undefined);
      return typeof userId === "string" ? [{ id: userId, names }] : [];
    });
    this.#known = { at: now, members };
    return members;
  }
}

/** Where the server refuses to list members, ids are shown instead of names. */
function noMembers(error: unknown): Member[] {
  if (error instanceof ForgeError) return [];
  throw error;
}

function ambiguous(person: string, members: readonly Member[]): ForgeError {
  const names = members.map(({ id, names: all }) => all.find((name) => name !== person) ?? id);
  return ambiguousMember(
    person,
    names,
    members.map(({ id }) => id),
  );
}
