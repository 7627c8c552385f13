import { setTimeout as sleep } from "node:timers/promises";
import type { Origin, User } from "../../../commons/people.ts";
import { lockedOut, notInvited, wrongSignIn } from "../model/errors.ts";
import { isEmail, isPassword, nameFrom, normalEmail, requireEmail } from "../model/fields.ts";
import type { BrowserSession } from "../model/model.ts";
import { findFreeName } from "../model/names.ts";
import { type Audit, serverBook } from "../service/audit.ts";
import { type AccessStore, type Tx, userFromRow } from "../store/store.ts";
import type { InvitationRow, Invitations } from "../teams/invitations.ts";
import type { Grants } from "../tokens/grants.ts";
import { sameHash } from "../tokens/secrets.ts";
import { FairTurns } from "./fair-turns.ts";
import { type Lockouts, maxQueueMs, signInLimits } from "./lockouts.ts";
import { siteOf } from "./network.ts";
import type { Passwords } from "./passwords.ts";
import type { Sessions } from "./sessions.ts";
import { SignInTurns } from "./sign-in-turns.ts";

/** Well below the 30 seconds that a request may take; proxies give up after a minute. */
const maxHeldMs = 10_000;
/** A check takes a tenth of a second of a processor, and one of the few threads that everything else shares. */
const maxChecks = 2;

type Identity = { issuer: string; subject: string; email: string; displayName: string };

/** How users prove who they are: with a password, or through an OpenID provider. */
export class SignIn {
  readonly #store: AccessStore;
  readonly #grants: Grants;
  readonly #sessions: Sessions;
  readonly #invitations: Invitations;
  readonly #lockouts: Lockouts;
  readonly #passwords: Passwords;
  readonly #audit: Audit;
  readonly #pause: (ms: number) => Promise<unknown>;
  readonly #turns = new SignInTurns();
  readonly #checks = new FairTurns(maxChecks);

  constructor(parts: {
    store: AccessStore;
    grants: Grants;
    sessions: Sessions;
    invitations: Invitations;
    lockouts: Lockouts;
    passwords: Passwords;
    audit: Audit;
    pause?: ((ms: number) => Promise<unknown>) | undefined;
  }) {
    this.#store = parts.store;
    this.#grants = parts.grants;
    this.#sessions = parts.sessions;
    this.#invitations = parts.invitations;
    this.#lockouts = parts.lockouts;
    this.#passwords = parts.passwords;
    this.#audit = parts.audit;
    this.#pause = parts.pause ?? sleep;
  }

  async withPassword(email: string, password: string, from: Origin): Promise<BrowserSession> {
    const { user, stored } = await this.verifyPassword(email, password, from);
    const session = await this.#store.database.transaction(async (tx) => {
      await this.#store.requirePassword(tx, user.id, stored);
      const teams = await this.#store.teamsOf(tx, user.id);
      if (teams.length === 0) return undefined;
      await this.#audit.add(tx, teams, from, { actor: user.email, action: "sign-in", target: user.id });
      return this.#sessions.open(tx, user);
    });
    if (!session) throw wrongSignIn();
    return session;
  }

  /**
   * The user whose password it is, and how it is stored: callers check with `requirePassword` that it is still the same when they let
   * the user in. The attempt is counted before the password is checked and uncounted if it was right, so that parallel guesses do not
   * slip through. After failures it waits first, and is then checked all the same: a short wait in this
   * call, a longer one until the caller comes again.
   */
  async verifyPassword(typed: string, password: string, from: Origin): Promise<{ user: User; stored: string | null }> {
    const email = normalEmail(typed);
    const limits = signInLimits(email, from.address);
    const waitMs = await this.#requireTurn({ email, password, address: from.address }, limits);
    if (waitMs > 0) await this.#pause(waitMs);
    const known = isEmail(email) && isPassword(password);
    const user = known ? await this.#store.database.read((db) => this.#store.userByEmail(db, email)) : undefined;
    const check = () => this.#passwords.matches(known ? password : "", user?.password);
    const isRight = await this.#checks.run(siteOf(from.address), check);
    if (!user || !isRight) {
      await this.#store.database.transaction((tx) => this.#recordFailure(tx, email, user?.id, waitMs > 0, from));
      throw wrongSignIn();
    }
    const isOutdated = this.#passwords.isOutdated(user.password ?? "");
    const renewed = isOutdated ? await this.#passwords.hash(password) : user.password;
    const [pair, account, address] = limits;
    const stored = await this.#store.database.transaction(async (tx) => {
      await this.#lockouts.forget(tx, pair);
      await this.#lockouts.uncount(tx, account);
      await this.#lockouts.uncount(tx, address);
      const now = (await this.#store.userByEmail(tx, email))?.password ?? null;
      if (!isOutdated || !sameHash(now ?? "", user.password ?? "")) return now;
      await this.#store.setPassword(tx, user.id, renewed);
      return renewed;
    });
    // Another sign-in may have renewed it meanwhile. A new password is another.
    if (!sameHash(stored ?? "", renewed ?? "") && !(await this.#passwords.matches(password, stored)))
      throw wrongSignIn();
    return { user: userFromRow(user), stored };
  }

  /** How long the attempt waits in this call. Throws if that is longer than a request can be held open. */
  async #requireTurn(
    attempt: { email: string; password: string; address: string },
    limits: ReturnType<typeof signInLimits>,
  ): Promise<number> {
    const turn = this.#turns.turnOf(attempt);
    const now = this.#store.now();
    const leftMs = this.#turns.leftMs(turn, now);
    const waitMs = leftMs ?? (await this.#store.database.transaction((tx) => this.#lockouts.delay(tx, limits)));
    if (waitMs <= maxHeldMs) this.#turns.delete(turn);
    else {
      // Beyond that, so many guesses wait already that no more are remembered.
      if (leftMs === undefined && waitMs <= maxQueueMs) this.#turns.add(turn, now + waitMs);
      throw lockedOut(waitMs);
    }
    return waitMs;
  }

  /**
   * Joins the teams that the address is invited to: all of them if the user is in none, else only the one whose link they opened.
   * Otherwise an admin of another team could make them a member, and have them renamed, unasked.
   */
  async withIdentity(identity: Identity, from: Origin, invitationCode = ""): Promise<BrowserSession> {
    const { issuer } = identity;
    const email = requireEmail(identity.email);
    const session = await this.#store.database.transaction(async (tx) => {
      const opened = await this.#invitations.find(tx, invitationCode);
      const isInTeam = await this.#isInTeam(tx, { ...identity, email });
      const invitations = (await this.#invitations.to(tx, email)).filter(({ id }) => !isInTeam || id === opened?.id);
      const user = await this.#userBehind(tx, { ...identity, email }, invitations, from);
      if (!user) return undefined;
      for (const invitation of invitations) {
        const isMember = (await this.#store.member(tx, invitation.team_id, user.id)) !== undefined;
        if (!isMember) await this.#invitations.use(tx, invitation, user, from);
      }
      const teams = await this.#store.teamsOf(tx, user.id);
      if (teams.length === 0) return undefined;
      await this.#audit.add(tx, teams, from, {
        actor: user.email,
        action: "sign-in",
        target: user.id,
        details: { issuer },
      });
      return this.#sessions.open(tx, user);
    });
    if (!session) throw notInvited();
    return session;
  }

  async #isInTeam(tx: Tx, { issuer, subject, email }: Identity): Promise<boolean> {
    const identities = tx.selectFrom("access_identity").select("user_id").where("issuer", "=", issuer);
    const linked = await identities.where("subject", "=", subject).executeTakeFirst();
    const id = linked?.user_id ?? (await this.#store.userByEmail(tx, email))?.id;
    return id !== undefined && (await this.#store.teamsOf(tx, id)).length > 0;
  }

  /** The user this identity was linked to; else the one with its address, who is linked to it from now on. */
  async #userBehind(
    tx: Tx,
    identity: Identity,
    invitations: readonly InvitationRow[],
    from: Origin,
  ): Promise<User | undefined> {
    const { issuer, subject, email, displayName } = identity;
    const isInvited = invitations.length > 0;
    const invitedTo = invitations.map((invitation) => invitation.team_id);
    const identities = tx.selectFrom("access_identity").selectAll().where("issuer", "=", issuer);
    const linked = await identities.where("subject", "=", subject).executeTakeFirst();
    if (linked) return this.#renameUser(tx, await this.#store.user(tx, linked.user_id), invitedTo, from);
    const known = await this.#store.userByEmail(tx, email);
    if (known) {
      // The provider gave the address of a former user to another person.
      if (await identities.where("user_id", "=", known.id).executeTakeFirst()) return undefined;
      if (!isInvited && (await this.#store.teamsOf(tx, known.id)).length === 0) return undefined;
    } else if (!isInvited) return undefined;
    const name = nameFrom(displayName) || email;
    const user = known
      ? await this.#renameUser(tx, userFromRow(known), invitedTo, from)
      : await this.#store.addUser(tx, email, await findFreeName(this.#store, tx, { email, name }, invitedTo), null);
    if (!user) return undefined;
    if (known) await this.#closeUnverified(tx, user, from);
    await tx.insertInto("access_identity").values({ issuer, subject, user_id: user.id }).execute();
    return user;
  }

  /**
   * An account that was made with a password: nobody has shown until now that the address is theirs, so somebody else may have made
   * it. What it could be used with before is over.
   */
  async #closeUnverified(tx: Tx, { id, email }: User, from: Origin): Promise<void> {
    await this.#store.setPassword(tx, id, null);
    await this.#store.closeResetLinks(tx, id);
    await this.#sessions.endAllOf(tx, id);
    await this.#grants.endEveryOf(tx, id);
    await this.#store.closeEveryLinkBy(tx, id);
    const teams = await this.#store.teamsOf(tx, id);
    if (teams.length > 0)
      await this.#audit.add(tx, teams, from, { actor: email, action: "account.linked", target: id });
  }

  /** A user whose name is taken in a team that they join gets a longer one. */
  async #renameUser(
    tx: Tx,
    user: User | undefined,
    invitedTo: readonly string[],
    from: Origin,
  ): Promise<User | undefined> {
    if (!user || invitedTo.length === 0) return user;
    const before = await this.#store.teamsOf(tx, user.id);
    const called = { ...user, name: user.displayName };
    const displayName = await findFreeName(this.#store, tx, called, [...before, ...invitedTo]);
    if (displayName === user.displayName) return user;
    await this.#store.setDisplayName(tx, user.id, displayName);
    await this.#audit.recordRename(tx, before, user, displayName, from);
    return { ...user, displayName };
  }

  async #recordFailure(tx: Tx, email: string, userId: string | undefined, locks: boolean, from: Origin): Promise<void> {
    const teams = userId === undefined ? [] : await this.#store.teamsOf(tx, userId);
    const books = teams.length > 0 ? teams : [serverBook];
    // If it is not an address, it may be a password in the wrong field.
    const actor = isEmail(email) ? email : "";
    await this.#audit.add(tx, books, from, { actor, action: "sign-in.failed", target: userId ?? "" });
    if (locks) await this.#audit.add(tx, books, from, { actor, action: "sign-in.locked", target: userId ?? "" });
  }
}
