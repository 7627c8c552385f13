import type { Origin, User } from "../../../commons/people.ts";
import type { Passwords } from "../identity/passwords.ts";
import type { SignIn } from "../identity/sign-in.ts";
import {
  accountJustCreated,
  alreadyMember,
  invitedElsewhere,
  olderSetupCode,
  setupLinkUsed,
  takenName,
  wrongInvitation,
  wrongSetupCode,
} from "../model/errors.ts";
import { requireName, requirePerson } from "../model/fields.ts";
import type { NewPerson } from "../model/model.ts";
import { isTaken } from "../model/names.ts";
import type { Audit } from "../service/audit.ts";
import { type AccessStore, type Db, type Tx, userFromRow } from "../store/store.ts";
import { hashOf, newSecret, sameHash } from "../tokens/secrets.ts";
import type { Invitations } from "./invitations.ts";

/** Earlier setup links that are remembered, so that they can say that there is a newer one. */
const maxSetupCodes = 100;

/** How people get an account: the first with the setup link, the others by invitation. */
export class Registration {
  readonly #store: AccessStore;
  readonly #invitations: Invitations;
  readonly #signIn: SignIn;
  readonly #passwords: Passwords;
  readonly #audit: Audit;
  #setupCode: string | undefined;

  constructor(store: AccessStore, invitations: Invitations, signIn: SignIn, passwords: Passwords, audit: Audit) {
    this.#store = store;
    this.#invitations = invitations;
    this.#signIn = signIn;
    this.#passwords = passwords;
    this.#audit = audit;
  }

  /** The secret of the setup link, the same while this process runs; undefined once there is a user. */
  async setupCode(): Promise<string | undefined> {
    if (await this.#store.database.read((db) => this.#store.hasUsers(db))) return undefined;
    if (this.#setupCode !== undefined) return this.#setupCode;
    const code = newSecret("setup");
    const hash = hashOf(code);
    const isNeeded = await this.#store.database.transaction(async (tx) => {
      if (await this.#store.hasUsers(tx)) return false;
      const newest = await tx.selectFrom("access_setup").select("place").orderBy("place", "desc").executeTakeFirst();
      const place = (newest?.place ?? 0) + 1;
      await tx
        .deleteFrom("access_setup")
        .where("place", "<=", place - maxSetupCodes)
        .execute();
      await tx
        .insertInto("access_setup")
        .values({ place, hash })
        .onConflict((other) => other.column("place").doUpdateSet({ hash }))
        .execute();
      return true;
    });
    this.#setupCode = isNeeded ? code : undefined;
    return this.#setupCode;
  }

  /** Throws once the server has an admin: its setup link has been used. */
  async requireUnused(): Promise<void> {
    if (await this.#store.database.read((db) => this.#store.hasUsers(db))) throw setupLinkUsed();
  }

  async setUp(code: string, admin: NewPerson, teamName: string, from: Origin): Promise<User> {
    // Checked before the costly hashing too: a guess must be cheap for the server.
    await this.#store.database.read((db) => this.#requireSetup(db, code));
    const { email, displayName, password } = requirePerson(admin);
    const name = requireName("team's name", teamName);
    const hash = await this.#passwords.hash(password);
    return this.#store.database.transaction(async (tx) => {
      await this.#requireSetup(tx, code);
      await tx.deleteFrom("access_setup").execute();
      const user = await this.#store.addUser(tx, email, displayName, hash);
      const team = await this.#store.addTeam(tx, name);
      await this.#store.addMember(tx, team.id, user.id, "admin");
      const details = { team: team.name };
      await this.#audit.add(tx, [team.id], from, { actor: email, action: "setup", target: team.id, details });
      return user;
    });
  }

  async accept(code: string, person: NewPerson, from: Origin): Promise<User> {
    const invitation = await this.#store.database.read((db) => this.#invitations.find(db, code));
    if (!invitation) throw wrongInvitation();
    const { email, displayName, password } = requirePerson(person);
    if (invitation.email !== null && invitation.email !== email) {
      throw invitedElsewhere();
    }
    const existing = await this.#store.database.read((db) => this.#store.userByEmail(db, email));
    const hash = existing ? undefined : await this.#passwords.hash(password);
    const verified = existing && (await this.#signIn.verifyPassword(email, password, from));
    return this.#store.database.transaction(async (tx) => {
      const current = await this.#invitations.find(tx, code);
      if (!current) throw wrongInvitation();
      const known = await this.#store.userByEmail(tx, email);
      if (known?.id !== existing?.id) throw accountJustCreated();
      if (verified) await this.#store.requirePassword(tx, verified.user.id, verified.stored);
      if (known && (await this.#store.member(tx, current.team_id, known.id))) {
        throw alreadyMember();
      }
      const user = known
        ? await this.#nameMember(tx, userFromRow(known), displayName, current.team_id, from)
        : await this.#newUser(tx, { email, displayName, hash: hash ?? null }, current.team_id);
      await this.#invitations.use(tx, current, user, from);
      return user;
    });
  }

  async #newUser(tx: Tx, person: { email: string; displayName: string; hash: string | null }, team: string) {
    const { email, displayName, hash } = person;
    if (await isTaken(this.#store, tx, { email, name: displayName }, [team])) throw takenName(displayName);
    return this.#store.addUser(tx, email, displayName, hash);
  }

  /** A user with an account keeps its name. If the name is taken in the team, they get the one they gave, in all their teams. */
  async #nameMember(tx: Tx, user: User, given: string, team: string, from: Origin): Promise<User> {
    const own = { ...user, name: user.displayName };
    if (!(await isTaken(this.#store, tx, own, [team]))) return user;
    const before = await this.#store.teamsOf(tx, user.id);
    if (await isTaken(this.#store, tx, { ...user, name: given }, [...before, team])) throw takenName(given);
    await this.#store.setDisplayName(tx, user.id, given);
    await this.#audit.recordRename(tx, before, user, given, from);
    return { ...user, displayName: given };
  }

  async #requireSetup(db: Db | Tx, code: string): Promise<void> {
    const [newest, ...older] = await db.selectFrom("access_setup").select("hash").orderBy("place", "desc").execute();
    const hash = hashOf(code);
    if (!newest || (await this.#store.hasUsers(db))) throw wrongSetupCode();
    if (sameHash(newest.hash, hash)) return;
    throw older.some((row) => sameHash(row.hash, hash)) ? olderSetupCode() : wrongSetupCode();
  }
}
