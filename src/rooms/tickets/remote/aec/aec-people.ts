import { path, type RemoteServer } from "../../../../commons/remote/index.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { visible } from "../../../../kernel/visible.ts";
import type { Ticket } from "../../model/ticket.ts";
import { isRecord, textOf } from "../../reading/loose.ts";

type Member = { id: string; names: string[] };

/** So long a list of members is good enough for names. */
const knownForMs = 60_000;

/**
 * Who is who on a server that assigns by ids only. The person is known by the id of their sign-in: names there may be spelled
 * in another way, and be others' too.
 */
export class AecPeople {
  readonly #server: RemoteServer;
  #known: { at: number; members: Member[] } | undefined;

  constructor(server: RemoteServer) {
    this.#server = server;
  }

  /** The id behind a name; what is no member's name is taken for an id. */
  async idOf(person: string): Promise<string> {
    const { userId, name } = await this.#server.identity();
    if (userId !== undefined && (person === name || person === userId)) return userId;
    const members = await this.#members(false);
    if (members.some(({ id }) => id === person)) return person;
    const [found, ...others] = members.filter(({ names }) => names.includes(person));
    if (found && others.length > 0) throw severalOf(person, [found, ...others]);
    return found?.id ?? person;
  }

  /** The name that tickets of a person carry here, whether they were named or their id was given. */
  async nameFor(person: string): Promise<string> {
    try {
      const id = await this.idOf(person);
      return (await this.#names([id]))(id) ?? person;
    } catch (error) {
      if (error instanceof ForgeError && error.code === "VALIDATION_ERROR") throw error;
      return person;
    }
  }

  /** The same tickets with their people by name, as far as the server tells who they are. */
  async withNames<T extends Ticket>(tickets: T[]): Promise<T[]> {
    const nameOf = await this.#names(tickets.flatMap(({ assignee }) => assignee ?? []));
    return tickets.map((ticket) => {
      const name = ticket.assignee === undefined ? undefined : nameOf(ticket.assignee);
      return name === undefined ? ticket : { ...ticket, assignee: name };
    });
  }

  async #names(ids: string[]): Promise<(id: string) => string | undefined> {
    const { userId, name } = await this.#server.identity();
    const members = ids.every((id) => id === userId) ? [] : await this.#members(true).catch(unlessRefused);
    const others = members.filter(({ id }) => id !== userId);
    const ownNames = [name, ...(members.find(({ id }) => id === userId)?.names ?? [])];
    // A name that two people share is neither's.
    const isOne = (text: string) =>
      !ownNames.includes(text) && others.filter(({ names }) => names.includes(text)).length === 1;
    const named = new Map(others.map(({ id, names }) => [id, names.find(isOne)]));
    return (id) => (id === userId ? (name ?? ownNames[1]) : named.get(id));
  }

  async #members(aside: boolean): Promise<Member[]> {
    const now = performance.now();
    if (this.#known && now - this.#known.at < knownForMs) return this.#known.members;
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

/** Ids are good enough where names are not to be had. */
function unlessRefused(error: unknown): Member[] {
  if (error instanceof ForgeError) return [];
  throw error;
}

function severalOf(person: string, members: readonly Member[]): ForgeError {
  const others = members.map(({ id, names }) => names.find((name) => name !== person) ?? id);
  return new ForgeError("VALIDATION_ERROR", `More than one member is called ${visible(person.slice(0, 64))}.`, {
    details: { members: members.map(({ id }) => id) },
    next: [`Name one by address or id: ${others.map((name) => visible(name.slice(0, 200))).join(", ")}.`],
  });
}
