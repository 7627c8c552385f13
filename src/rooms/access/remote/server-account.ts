import * as z from "zod";
import type { Role } from "../../../commons/people.ts";
import { path, type RemoteRequest, type RemoteServer } from "../../../commons/remote/index.ts";
import { type ErrorCode, ForgeError } from "../../../kernel/errors.ts";
import {
  auditSchema,
  inviteSchema,
  meSchema,
  newTokenSchema,
  ownTeamSchema,
  resetLinkSchema,
  teamEntrySchema,
  teamSchema,
  tokenSchema,
} from "../model/schemas.ts";
import { explainRefusal, noSuchMember } from "./errors.ts";
import { parseAnswer } from "./parse-answer.ts";

const maxListed = 100_000;
const tokens = z.object({ tokens: z.array(tokenSchema).max(maxListed) });
const teams = z.object({ teams: z.array(ownTeamSchema).max(maxListed) });
const activity = z.object({ entries: z.array(teamEntrySchema).max(maxListed) });
const members = z.object({
  members: z.array(z.object({ userId: z.string().max(1_000), email: z.string().max(1_000) })).max(maxListed),
});

/** The user's account on a Forge server: their teams and tokens, and the people they invite. */
export class ServerAccount {
  readonly #server: RemoteServer;

  constructor(server: RemoteServer) {
    this.#server = server;
  }

  async me(signal: AbortSignal) {
    return parseAnswer(meSchema, await this.#request("GET", path`/me`, { signal }), "who you are");
  }

  /** Whether the server still accepts the sign-in; throws where it cannot be asked. */
  async isAccepted(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#request("GET", path`/me`, { signal }).catch(async (error) => {
        if (!isCode(error, "NOT_FOUND")) throw error;
        // Another kind of server does not say who the user is.
        await this.#request("GET", path`/tickets`, { signal });
      });
      return true;
    } catch (error) {
      if (isCode(error, "AUTH_REQUIRED")) return false;
      throw error;
    }
  }

  async listTokens(signal: AbortSignal) {
    return parseAnswer(tokens, await this.#request("GET", path`/tokens`, { signal }), "a list of tokens").tokens;
  }

  async createToken(
    token: { name: string; scopes: readonly string[]; days?: number | undefined },
    signal: AbortSignal,
  ) {
    return parseAnswer(newTokenSchema, await this.#request("POST", path`/tokens`, { body: token, signal }), "a token");
  }

  async revokeToken(id: string, signal: AbortSignal): Promise<void> {
    await this.#request("DELETE", path`/tokens/${id}`, { signal });
  }

  async createInvite(invite: { role: Role; email?: string | undefined }, signal: AbortSignal) {
    const sent = await this.#request("POST", path`/invitations`, { body: invite, signal });
    return parseAnswer(inviteSchema, sent, "an invitation");
  }

  async listTeams(signal: AbortSignal) {
    return parseAnswer(teams, await this.#request("GET", path`/teams`, { signal }), "a list of teams").teams;
  }

  async createTeam(name: string, signal: AbortSignal) {
    return parseAnswer(teamSchema, await this.#request("POST", path`/teams`, { body: { name }, signal }), "a team");
  }

  /** The newest entries of the team's audit log, or of the server's own, oldest first. */
  async listAudit({ limit, server }: { limit: number; server: boolean }, signal: AbortSignal) {
    const query = { limit, ...(server && { server: true }) };
    return parseAnswer(auditSchema, await this.#request("GET", path`/audit`, { query, signal }), "an audit log");
  }

  /** The newest entries of the team's ledger, oldest first. */
  async listActivity({ limit, since }: { limit: number; since: string | undefined }, signal: AbortSignal) {
    const query = { limit, since };
    return parseAnswer(activity, await this.#request("GET", path`/activity`, { query, signal }), "a ledger").entries;
  }

  /** A link with which the member of the user's team who has this address sets a new password. */
  async createResetLink(email: string, signal: AbortSignal) {
    const { team } = await this.me(signal);
    const listed = await this.#request("GET", path`/teams/${team.id}/members`, { signal });
    const wanted = email.trim().toLowerCase();
    const member = parseAnswer(members, listed, "the team's members").members.find((each) => each.email === wanted);
    if (!member) throw noSuchMember(email);
    const sent = await this.#request("POST", path`/teams/${team.id}/members/${member.userId}/reset`, { signal });
    return parseAnswer(resetLinkSchema, sent, "a link");
  }

  /** Revokes the token that this account is used with, and those issued with it. */
  async signOut(signal: AbortSignal): Promise<void> {
    await this.#request("POST", path`/auth/logout`, { signal });
  }

  async #request(
    method: "GET" | "POST" | "DELETE",
    to: ReturnType<typeof path>,
    request: RemoteRequest,
  ): Promise<unknown> {
    try {
      return await this.#server.request(method, to, request);
    } catch (error) {
      throw explainRefusal(error, this.#server.address);
    }
  }
}

function isCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof ForgeError && error.code === code;
}
