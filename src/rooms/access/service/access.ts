import type { Database } from "../../../platform/db/database.ts";
import { Lockouts } from "../identity/lockouts.ts";
import { type PasswordCost, Passwords } from "../identity/passwords.ts";
import { Recovery } from "../identity/recovery.ts";
import { Sessions } from "../identity/sessions.ts";
import { SignIn } from "../identity/sign-in.ts";
import { needsFirstTeam } from "../model/errors.ts";
import { requireAdmin } from "../model/roles.ts";
import { AccessStore } from "../store/store.ts";
import { Invitations } from "../teams/invitations.ts";
import { Joining } from "../teams/joining.ts";
import { TeamDesk } from "../teams/team.ts";
import { Devices } from "../tokens/devices.ts";
import { Grants } from "../tokens/grants.ts";
import { Refreshing } from "../tokens/refreshing.ts";
import { Tokens } from "../tokens/tokens.ts";
import { Audit, serverBook } from "./audit.ts";
import type { Access, NewPerson, NewToken, Origin, Role, SignedIn } from "./ports.ts";

export type LocalAccessOptions = {
  database: Database<unknown>;
  /** The server's clock; a client's never counts. */
  now?: () => number;
  passwordCost?: PasswordCost;
};

const mostEntries = 1000;

/** Who may do what, in the server's own store. */
export class LocalAccess implements Access {
  readonly #store: AccessStore;
  readonly #audit: Audit;
  readonly #sessions: Sessions;
  readonly #invitations: Invitations;
  readonly #signIn: SignIn;
  readonly #joining: Joining;
  readonly #devices: Devices;
  readonly #refreshing: Refreshing;
  readonly #tokens: Tokens;
  readonly #team: TeamDesk;
  readonly #recovery: Recovery;

  constructor({ database, now = Date.now, passwordCost }: LocalAccessOptions) {
    const store = new AccessStore(database, now);
    const [audit, grants, lockouts] = [new Audit(store), new Grants(store), new Lockouts(store)];
    const [sessions, passwords] = [new Sessions(store), new Passwords(passwordCost)];
    const invitations = new Invitations(store, grants, audit);
    this.#store = store;
    this.#audit = audit;
    this.#sessions = sessions;
    this.#invitations = invitations;
    this.#signIn = new SignIn({ store, sessions, invitations, lockouts, passwords, audit });
    this.#recovery = new Recovery({ store, grants, sessions, signIn: this.#signIn, lockouts, passwords, audit });
    this.#joining = new Joining(store, invitations, this.#signIn, passwords, audit);
    this.#devices = new Devices(store, grants, sessions, lockouts, audit);
    this.#refreshing = new Refreshing(store, grants, audit);
    this.#tokens = new Tokens(store, grants, audit);
    this.#team = new TeamDesk(store, grants, sessions, audit);
  }

  whenTakenAway(heard: () => void) {
    this.#store.whenTakenAway(heard);
  }

  setupCode() {
    return this.#joining.setupCode();
  }

  setUp(code: string, admin: NewPerson, teamName: string, from: Origin) {
    return this.#joining.setUp(code, admin, teamName, from);
  }

  signIn(email: string, password: string, from: Origin) {
    return this.#signIn.withPassword(email, password, from);
  }

  signInWith(identity: Parameters<Access["signInWith"]>[0], from: Origin) {
    return this.#signIn.withIdentity(identity, from);
  }

  session(cookie: string) {
    return this.#store.database.read((db) => this.#sessions.find(db, cookie));
  }

  signOut(cookie: string) {
    return this.#store.database.transaction((tx) => this.#sessions.end(tx, cookie));
  }

  async sessionTeams(cookie: string) {
    return this.#store.database.read(async (db) => {
      const session = await this.#sessions.find(db, cookie);
      const ids = session ? await this.#store.teamsOf(db, session.user.id) : [];
      const teams = await Promise.all(ids.map((id) => this.#store.team(db, id)));
      return teams.filter((team) => team !== undefined);
    });
  }

  resetLink(by: SignedIn, userId: string, from: Origin) {
    return this.#recovery.link(by, userId, from);
  }

  hostResetLink(email: string) {
    return this.#recovery.linkFromHost(email);
  }

  resetFor(code: string) {
    return this.#recovery.show(code);
  }

  resetPassword(code: string, password: string, from: Origin) {
    return this.#recovery.reset(code, password, from);
  }

  changePassword(cookie: string, old: string, password: string, from: Origin) {
    return this.#recovery.change(cookie, old, password, from);
  }

  invite(by: SignedIn, invitation: { role: Role; email?: string }, from: Origin) {
    return this.#invitations.invite(by, invitation, from);
  }

  invitations(by: SignedIn) {
    return this.#invitations.list(by);
  }

  withdrawInvitation(by: SignedIn, id: string, from: Origin) {
    return this.#invitations.withdraw(by, id, from);
  }

  invitation(code: string) {
    return this.#invitations.show(code);
  }

  accept(code: string, person: NewPerson, from: Origin) {
    return this.#joining.accept(code, person, from);
  }

  members(by: SignedIn) {
    return this.#team.members(by);
  }

  setRole(by: SignedIn, userId: string, role: Role, from: Origin) {
    return this.#team.setRole(by, userId, role, from);
  }

  removeMember(by: SignedIn, userId: string, from: Origin) {
    return this.#team.removeMember(by, userId, from);
  }

  projects(by: SignedIn) {
    return this.#team.projects(by);
  }

  addProject(by: SignedIn, name: string, from: Origin) {
    return this.#team.addProject(by, name, from);
  }

  renameProject(by: SignedIn, id: string, name: string, from: Origin) {
    return this.#team.renameProject(by, id, name, from);
  }

  removeProject(by: SignedIn, id: string, from: Origin) {
    return this.#team.removeProject(by, id, from);
  }

  teams(by: SignedIn) {
    return this.#team.teams(by);
  }

  addTeam(by: SignedIn, name: string, from: Origin) {
    return this.#team.addTeam(by, name, from);
  }

  requestDevice(client: string, from: Origin, team?: string) {
    return this.#devices.request(client, from, team);
  }

  waitingDevice(userCode: string, from: Origin) {
    return this.#devices.waiting(userCode, from);
  }

  decideDevice(cookie: string, userCode: string, decision: "approve" | "deny", from: Origin, teamId?: string) {
    return this.#devices.settle(cookie, userCode, decision, from, teamId);
  }

  redeemDevice(deviceCode: string, from: Origin) {
    return this.#devices.redeem(deviceCode, from);
  }

  refresh(refreshToken: string, from: Origin) {
    return this.#refreshing.refresh(refreshToken, from);
  }

  authenticate(bearer: string, teamId: string | undefined) {
    return this.#tokens.authenticate(bearer, teamId);
  }

  createToken(by: SignedIn, token: NewToken, from: Origin) {
    return this.#tokens.create(by, token, from);
  }

  tokens(by: SignedIn) {
    return this.#tokens.list(by);
  }

  revokeToken(by: SignedIn, id: string, from: Origin) {
    return this.#tokens.revoke(by, id, from);
  }

  endToken(bearer: string, from: Origin) {
    return this.#tokens.end(bearer, from);
  }

  async audit(by: SignedIn, limit: number, book: "team" | "server" = "team") {
    requireAdmin(by, "access:read");
    const most = Math.max(1, Math.min(Math.trunc(limit) || 1, mostEntries));
    return this.#store.database.read(async (db) => {
      if (book === "server" && (await this.#store.firstTeam(db)) !== by.team.id) throw needsFirstTeam();
      return this.#audit.read(db, book === "server" ? serverBook : by.team.id, most);
    });
  }
}
