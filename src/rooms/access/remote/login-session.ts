import type * as z from "zod";
import type { House } from "../../../commons/house.ts";
import {
  type ChosenServer,
  ConfigFile,
  chooseServer,
  openServer,
  type ServerAddress,
  type StoredLogin,
  serverAddress,
} from "../../../commons/remote/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { Fetcher } from "../../../platform/fetch/fetcher.ts";
import { ProjectLinks } from "../../../platform/state/project-links.ts";
import type { whoAmISchema } from "../model/schemas.ts";
import { DeviceLogin } from "./device-login.ts";
import {
  alreadySignedIn,
  notSignedIn,
  notYourTeam,
  serverUnknown,
  tokenIsSet,
  tokenStays,
  wrongSlug,
} from "./errors.ts";
import { ServerAccount } from "./server-account.ts";
import { readProposal, type TeamProposal } from "./team-proposal.ts";

const slugPattern = /^[a-z0-9-]{1,60}$/;

/** Who is signed in on this machine, as it was saved. */
export type SavedSignIn = { server: string; email: string; displayName: string };

export type WhoAmI = z.output<typeof whoAmISchema>;

type LoginRequest = { url: string | undefined; team: string | undefined; replace: boolean };

/** A sign-in that waits for the user's approval in a browser. */
export type PendingLogin = Pick<
  DeviceLogin,
  "userCode" | "verificationUri" | "completeUri" | "expiresIn" | "otherSite"
> & {
  waitForApproval(signal: AbortSignal, waiting: (secondsLeft: number) => void): Promise<SavedSignIn>;
};

/** What a project was linked to. */
export type LinkedTeam = { server: string; team: string; slug: string };

type Stored = { login: StoredLogin; server: ChosenServer };

/** Whether the server was told of the sign-out, or had ended the sign-in before. */
export type SignOut = { toldServer: boolean; hadEnded?: true };

/** The user's sign-in to a Forge server, on this machine. */
export class LoginSession {
  readonly #house: Pick<House, "settings" | "redactor" | "log" | "version" | "project">;
  readonly #links = new ProjectLinks();
  readonly #file: ConfigFile;
  readonly #fetcher: Fetcher;

  constructor({
    settings,
    redactor,
    log,
    version,
    project,
    onEnd,
  }: Pick<House, "settings" | "redactor" | "log" | "version" | "project" | "onEnd">) {
    this.#house = { settings, redactor, log, version, project };
    this.#file = new ConfigFile(log);
    const fetcher = new Fetcher({ log });
    this.#fetcher = fetcher;
    onEnd(() => fetcher.close());
  }

  /** The sign-in that is saved; undefined where there is none, or none that can be used. */
  async readSaved(): Promise<SavedSignIn | undefined> {
    const stored = await this.#readStored().catch(ignoreUnusable);
    return stored && savedSignIn(stored.server.address, stored.login);
  }

  /** The user's account on the server they work with; throws where they are not signed in. */
  async account(): Promise<ServerAccount> {
    const chosen = await this.#chooseServer();
    return this.#accountOn(chosen, this.#linkedTeam(chosen));
  }

  async whoAmI(signal: AbortSignal): Promise<WhoAmI> {
    const server = await this.#chooseServer();
    const { origin } = server.address;
    const by = server.signIn === "stored" ? "forge login" : "FORGE_TOKEN";
    try {
      const account = this.#accountOn(server, this.#linkedTeam(server));
      const { user, team, role, scopes } = await account.me(signal);
      const teams = await account.listTeams(signal).catch(ignoreNotFound);
      const there = { team, role, scopes, teams: teams ?? [{ ...team, role }] };
      return { server: origin, email: user.email, displayName: user.displayName, by, there };
    } catch (error) {
      const stored = error instanceof ForgeError && error.code === "NOT_FOUND" ? await this.#readStored() : undefined;
      if (!stored || by !== "forge login") throw error;
      return { ...savedSignIn(server.address, stored.login), by };
    }
  }

  /**
   * Starts a sign-in, by default to the server of the last one. What is saved is replaced once the user has approved; it must
   * be gone or refused by its server, unless it is to be replaced.
   */
  async begin({ url, team, replace }: LoginRequest, signal: AbortSignal): Promise<PendingLogin> {
    const { settings, redactor, version } = this.#house;
    if (team !== undefined && !slugPattern.test(team)) throw wrongSlug(team);
    if (settings.token !== undefined) throw tokenIsSet();
    const before = await this.#replaceable();
    if (before && !replace) await this.#requireEnded(before, signal);
    const address = this.#addressFor(url, before);
    const client = `forge ${version}`;
    const options = {
      address,
      fetcher: this.#fetcher,
      file: this.#file,
      redactor,
      client,
      team,
      appUrl: settings.appUrl,
    };
    const login = await DeviceLogin.begin(options, signal);
    const { userCode, verificationUri, completeUri, expiresIn, otherSite } = login;
    return {
      ...{ userCode, verificationUri, completeUri, expiresIn, otherSite },
      waitForApproval: async (stop, waiting) => {
        const now = await login.waitForApproval(stop, waiting);
        if (before) await this.#endReplaced(before, now, stop);
        return savedSignIn(address, now);
      },
    };
  }

  /** The server that this project's tickets come from; undefined where they are the project's own. */
  ticketServer(): string | undefined {
    const { token, apiUrl } = this.#house.settings;
    if (token !== undefined) return apiUrl;
    const link = this.#links.find(this.#house.project.stateDir);
    return link && "api" in link ? link.api : undefined;
  }

  /** Whether this project's tickets come from a team's server when its user is signed in there. */
  isLinked(): boolean {
    const link = this.#links.find(this.#house.project.stateDir);
    return link !== undefined && "api" in link;
  }

  /** The team that a file of the repository proposes; only a person makes a link of it. */
  proposal(): TeamProposal | undefined {
    return readProposal(this.#house.project.root);
  }

  /**
   * Links this project to one of the user's teams on the server that they are signed in to, by default the sign-in's own. The
   * server is asked, so that the link is one that works.
   */
  async link(slug: string | undefined, signal: AbortSignal): Promise<LinkedTeam> {
    const chosen = await this.#chooseServer();
    const account = this.#accountOn(chosen);
    const team = slug === undefined ? (await account.me(signal)).team : await findTeam(account, slug, signal);
    const { api, origin } = chosen.address;
    await this.#links.set(this.#house.project.stateDir, { api, team: team.id, at: new Date().toISOString() });
    return { server: origin, team: team.name, slug: team.slug };
  }

  async unlink(): Promise<void> {
    await this.#links.set(this.#house.project.stateDir, { local: true, at: new Date().toISOString() });
  }

  /** Undefined where nobody was signed in. */
  async end(signal: AbortSignal): Promise<SignOut | undefined> {
    const { token, apiUrl } = this.#house.settings;
    if (token !== undefined) throw tokenStays();
    const login = await this.#file.read().catch(ignoreUnusable);
    const told = login === undefined ? { toldServer: false } : await this.#tellServer(login.apiUrl ?? apiUrl, signal);
    await forgetCopies();
    return (await this.#file.remove()) ? told : undefined;
  }

  async #chooseServer(): Promise<ChosenServer> {
    const { apiUrl, token } = this.#house.settings;
    const server = await chooseServer({ apiUrl, token, file: this.#file });
    if (server) return server;
    throw notSignedIn();
  }

  #accountOn(chosen: ChosenServer, team?: string): ServerAccount {
    const { redactor, log } = this.#house;
    return new ServerAccount(openServer({ chosen, file: this.#file, fetcher: this.#fetcher, redactor, log, team }));
  }

  /** The project's team, where the project is linked to the server that is asked. */
  #linkedTeam({ address, signIn }: ChosenServer): string | undefined {
    const link = signIn === "stored" ? this.#links.find(this.#house.project.stateDir) : undefined;
    return link && "api" in link && link.api === address.api ? link.team || undefined : undefined;
  }

  /** What the last login saved, whatever FORGE_API_URL says. */
  async #readStored(): Promise<Stored | undefined> {
    const login = await this.#file.read();
    const apiUrl = login?.apiUrl ?? this.#house.settings.apiUrl;
    const server = login && (await chooseServer({ apiUrl, token: undefined, file: this.#file }));
    return server && { login, server };
  }

  /** What a new sign-in would replace. */
  #replaceable(): Promise<Stored | undefined> {
    return this.#readStored().catch((error) => {
      // Nothing could be written in its place.
      if (error instanceof ForgeError && error.details?.["found"] === "link") throw error;
      return ignoreUnusable(error);
    });
  }

  async #requireEnded({ login, server }: Stored, signal: AbortSignal): Promise<void> {
    const { origin } = server.address;
    const { email } = login.user;
    const valid = await this.#accountOn(server).isAccepted(signal).catch(unlessCancelled);
    if (valid !== false) throw alreadySignedIn(origin, email, valid);
  }

  #addressFor(url: string | undefined, before: Stored | undefined): ServerAddress {
    const { apiUrl } = this.#house.settings;
    if (url !== undefined) return serverAddress(url, "--url");
    if (apiUrl !== undefined) return serverAddress(apiUrl, "FORGE_API_URL");
    if (before) return before.server.address;
    throw serverUnknown();
  }

  /** A replaced sign-in is ended on its server too; if the server cannot be told, the new one is valid all the same. */
  async #endReplaced({ login, server: { address } }: Stored, now: StoredLogin, signal: AbortSignal): Promise<void> {
    if (login.userId !== now.userId || login.apiUrl !== now.apiUrl) await forgetCopies();
    try {
      await this.#accountOn({ address, signIn: { token: login.accessToken } }).signOut(signal);
    } catch (error) {
      this.#house.log("info", "the server could not be told that its sign-in was replaced", { error });
    }
  }

  /** The sign-in ends on this machine whatever the server says. */
  async #tellServer(signedInAt: string | undefined, signal: AbortSignal): Promise<SignOut> {
    try {
      const server = await chooseServer({ apiUrl: signedInAt, token: undefined, file: this.#file });
      if (server) await this.#accountOn(server).signOut(signal);
      return { toldServer: server !== undefined };
    } catch (error) {
      if (error instanceof ForgeError && /^AUTH_/.test(error.code)) return { toldServer: false, hadEnded: true };
      this.#house.log("info", "the server could not be told of the logout", { error });
      return { toldServer: false };
    }
  }
}

async function findTeam(account: ServerAccount, slug: string, signal: AbortSignal) {
  if (!slugPattern.test(slug)) throw wrongSlug(slug);
  const teams = await account.listTeams(signal);
  const found = teams.find((team) => team.slug === slug);
  if (found) return found;
  throw notYourTeam(
    slug,
    teams.map((team) => team.slug),
  );
}

async function forgetCopies(): Promise<void> {
  const { Copies } = await import("../../../commons/remote/offline/copies.ts");
  await new Copies().forgetAll();
}

function savedSignIn({ origin }: ServerAddress, { user: { email, displayName } }: StoredLogin): SavedSignIn {
  return { server: origin, email, displayName };
}

/** Why a server could not be asked. */
function unlessCancelled(error: unknown): ForgeError {
  if (error instanceof ForgeError && error.code !== "CANCELLED") return error;
  throw error;
}

/** Older servers have no such route. */
function ignoreNotFound(error: unknown): undefined {
  if (error instanceof ForgeError && error.code === "NOT_FOUND") return undefined;
  throw error;
}

/** A file that cannot be used counts as none for those who are about to replace it. */
function ignoreUnusable(error: unknown): undefined {
  if (error instanceof ForgeError && error.code === "CONFIG_ERROR") return undefined;
  throw error;
}
