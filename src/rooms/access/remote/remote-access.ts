import * as z from "zod";
import { path, type RemoteRequest, type RemoteServer } from "../../../commons/remote/index.ts";
import { type ErrorCode, ForgeError } from "../../../kernel/errors.ts";
import { type Role, roles, type Team, type TokenInfo, type User } from "../service/ports.ts";
import { inOwnWords } from "./own-words.ts";
import { understood } from "./understood.ts";

const text = z.string().max(10_000);
const scope = z.templateLiteral([z.string(), ":", z.enum(["read", "write"])]);

const me = z.object({
  user: z.object({ id: text, email: text, displayName: text }),
  team: z.object({ id: text, name: text, slug: text }),
  role: z.enum(roles),
  scopes: z.array(scope),
});
type Me = { user: User; team: Team; role: Role; scopes: z.output<typeof scope>[] };

const team = z.object({ id: text, name: text, slug: text });
const ownTeams = z.object({ teams: z.array(team.extend({ role: z.enum(roles) })) });
const members = z.object({ members: z.array(z.object({ userId: text, email: text })) });
const resetLink = z.object({ link: text, expiresAt: text });

const token = z.object({
  id: text,
  name: text,
  owner: text,
  scopes: z.array(scope),
  createdAt: text,
  expiresAt: text.exactOptional(),
  lastUsedAt: text.exactOptional(),
});
const madeToken = token.extend({ secret: text });
const invitation = z.object({ id: text, link: text, expiresAt: text });
type MadeInvitation = z.output<typeof invitation>;

/** People and tokens of a server, for whoever is signed in to it. */
export class RemoteAccess {
  readonly #server: RemoteServer;

  constructor(server: RemoteServer) {
    this.#server = server;
  }

  async me(signal: AbortSignal): Promise<Me> {
    return understood(me, await this.#ask("GET", path`/me`, { signal }), "who you are");
  }

  /** Whether the server still accepts the sign-in. What prevents an answer is thrown. */
  async accepts(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#ask("GET", path`/me`, { signal }).catch(async (error) => {
        if (!isCode(error, "NOT_FOUND")) throw error;
        // A server of another kind does not say who one is.
        await this.#ask("GET", path`/tickets`, { signal });
      });
      return true;
    } catch (error) {
      if (isCode(error, "AUTH_REQUIRED")) return false;
      throw error;
    }
  }

  async tokens(signal: AbortSignal): Promise<TokenInfo[]> {
    const sent = await this.#ask("GET", path`/tokens`, { signal });
    return understood(z.object({ tokens: z.array(token) }), sent, "a list of tokens").tokens;
  }

  async createToken(
    wanted: { name: string; scopes: readonly string[]; days: number | undefined },
    signal: AbortSignal,
  ): Promise<TokenInfo & { secret: string }> {
    const sent = await this.#ask("POST", path`/tokens`, { body: wanted, signal });
    return understood(madeToken, sent, "a token");
  }

  async revokeToken(id: string, signal: AbortSignal): Promise<void> {
    await this.#ask("DELETE", path`/tokens/${id}`, { signal });
  }

  async invite(wanted: { role: Role; email: string | undefined }, signal: AbortSignal): Promise<MadeInvitation> {
    const sent = await this.#ask("POST", path`/invitations`, { body: wanted, signal });
    return understood(invitation, sent, "an invitation");
  }

  async teams(signal: AbortSignal): Promise<(Team & { role: Role })[]> {
    const sent = await this.#ask("GET", path`/teams`, { signal });
    return understood(ownTeams, sent, "a list of teams").teams;
  }

  async addTeam(name: string, signal: AbortSignal): Promise<Team> {
    const sent = await this.#ask("POST", path`/teams`, { body: { name }, signal });
    return understood(team, sent, "a team");
  }

  /** A link for whoever in the caller's team has this address; undefined where nobody has. */
  async resetLink(email: string, signal: AbortSignal): Promise<z.output<typeof resetLink> | undefined> {
    const { team: own } = await this.me(signal);
    const listed = await this.#ask("GET", path`/teams/${own.id}/members`, { signal });
    const wanted = email.trim().toLowerCase();
    const member = understood(members, listed, "the team's members").members.find((each) => each.email === wanted);
    if (!member) return undefined;
    const sent = await this.#ask("POST", path`/teams/${own.id}/members/${member.userId}/reset`, { signal });
    return understood(resetLink, sent, "a link");
  }

  /** Ends the token that this is asked with, and those made along with it. */
  async end(signal: AbortSignal): Promise<void> {
    await this.#ask("POST", path`/auth/logout`, { signal });
  }

  async #ask(
    method: "GET" | "POST" | "DELETE",
    what: ReturnType<typeof path>,
    request: RemoteRequest,
  ): Promise<unknown> {
    try {
      return await this.#server.request(method, what, request);
    } catch (error) {
      throw inOwnWords(error, this.#server.address);
    }
  }
}

function isCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof ForgeError && error.code === code;
}
