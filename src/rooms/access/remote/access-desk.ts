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
import { visible } from "../../../kernel/visible.ts";
import { Fetcher } from "../../../platform/fetch/fetcher.ts";
import type { AccessDesk, PendingLogin, SignedInHere, WhoAmI } from "./desk.ts";
import { DeviceLogin, RemoteAccess } from "./index.ts";

/** Logins, tokens and the like, for the person who gives the command. */
export function openAccessDesk({ settings, redactor, log, onEnd, version }: House): AccessDesk {
  const file = new ConfigFile(log);
  const fetcher = new Fetcher({ log });
  onEnd(() => fetcher.close());
  const { apiUrl, token, appUrl } = settings;

  const open = (chosen: ChosenServer) => openServer({ chosen, file, fetcher, redactor, log });
  async function chosen(): Promise<ChosenServer> {
    const server = await chooseServer({ apiUrl, token, file });
    if (server) return server;
    throw new ForgeError("AUTH_REQUIRED", "You are not signed in to a Forge server.", {
      next: ["Run `forge login --url https://host`."],
    });
  }
  const access = async () => new RemoteAccess(open(await chosen()));

  /** What `forge login` has left, wherever FORGE_API_URL leads. */
  async function stored(): Promise<{ login: StoredLogin; server: ChosenServer } | undefined> {
    const login = await file.read();
    const server = login && (await chooseServer({ apiUrl: login.apiUrl ?? apiUrl, token: undefined, file }));
    return server && { login, server };
  }

  function replaceable() {
    return stored().catch((error) => {
      // Nothing could be written in its place.
      if (error instanceof ForgeError && error.details?.["found"] === "link") throw error;
      return unlessUnusable(error);
    });
  }

  return {
    async signedIn() {
      const kept = await stored().catch(unlessUnusable);
      return kept && signedInHere(kept.server.address, kept.login);
    },

    async standing(signal) {
      if (token !== undefined) throw tokenGoesFirst();
      const kept = await replaceable();
      if (!kept) return undefined;
      const holds = await new RemoteAccess(open(kept.server)).accepts(signal).catch(unlessStopped);
      return { ...signedInHere(kept.server.address, kept.login), holds };
    },

    async beginLogin({ url, team }, signal): Promise<PendingLogin> {
      if (token !== undefined) throw tokenGoesFirst();
      const given = url ?? apiUrl;
      const before = await replaceable();
      const address =
        given === undefined
          ? before?.server.address
          : serverAddress(given, url === undefined ? "FORGE_API_URL" : "--url");
      if (!address) throw whichServer();
      const client = `forge ${version}`;
      const login = await DeviceLogin.begin({ address, fetcher, file, redactor, client, team, appUrl }, signal);
      const { userCode, verificationUri, completeUri, expiresIn } = login;
      return {
        ...{ server: address.origin, userCode, verificationUri, completeUri, expiresIn },
        async decided(stop, waiting) {
          const kept = await login.decided(stop, waiting);
          if (before) await endReplaced(before, kept, stop);
          return signedInHere(address, kept);
        },
      };
    },

    async logOut(signal) {
      if (token !== undefined) throw tokenStays();
      const login = await file.read().catch(unlessUnusable);
      const told = login === undefined ? { toldServer: false } : await tellServer(login.apiUrl ?? apiUrl, signal);
      await forgetCopies();
      return (await file.remove()) ? told : undefined;
    },

    async whoAmI(signal): Promise<WhoAmI> {
      const server = await chosen();
      const { origin } = server.address;
      const by = server.signIn === "stored" ? "forge login" : "FORGE_TOKEN";
      try {
        const remote = new RemoteAccess(open(server));
        const { user, team, role, scopes } = await remote.me(signal);
        const teams = await remote.teams(signal).catch(unlessUnknown);
        const there = { team, role, scopes, teams: teams ?? [{ ...team, role }] };
        return { server: origin, email: user.email, displayName: user.displayName, by, there };
      } catch (error) {
        const here = error instanceof ForgeError && error.code === "NOT_FOUND" ? await stored() : undefined;
        if (!here || by !== "forge login") throw error;
        return { ...signedInHere(server.address, here.login), by, there: undefined };
      }
    },

    tokens: async (signal) => (await access()).tokens(signal),
    createToken: async (wanted, signal) => (await access()).createToken(wanted, signal),
    revokeToken: async (id, signal) => (await access()).revokeToken(id, signal),
    invite: async (wanted, signal) => (await access()).invite(wanted, signal),

    async resetLink(email, signal) {
      const made = await (await access()).resetLink(email, signal);
      if (!made) throw nobodyWith(email);
      return made;
    },
    teams: async (signal) => (await access()).teams(signal),
    addTeam: async (name, signal) => (await access()).addTeam(name, signal),
  };

  /** One that was given up for another is not left open on the server; that it cannot be told keeps nobody from going on. */
  async function endReplaced(
    { login, server: { address } }: { login: StoredLogin; server: ChosenServer },
    now: StoredLogin,
    signal: AbortSignal,
  ): Promise<void> {
    if (login.userId !== now.userId || login.apiUrl !== now.apiUrl) await forgetCopies();
    try {
      await new RemoteAccess(open({ address, signIn: { token: login.accessToken } })).end(signal);
    } catch (error) {
      log("info", "the server could not be told that its sign-in was replaced", { error });
    }
  }

  async function forgetCopies(): Promise<void> {
    const { Copies } = await import("../../../commons/remote/offline/copies.ts");
    await new Copies().forgetAll();
  }

  /** The sign-in ends here whatever becomes of it there. */
  async function tellServer(
    signedInAt: string | undefined,
    signal: AbortSignal,
  ): Promise<{ toldServer: boolean; hadEnded?: true }> {
    try {
      const server = await chooseServer({ apiUrl: signedInAt, token: undefined, file });
      if (server) await new RemoteAccess(open(server)).end(signal);
      return { toldServer: server !== undefined };
    } catch (error) {
      if (error instanceof ForgeError && /^AUTH_/.test(error.code)) return { toldServer: false, hadEnded: true };
      log("info", "the server could not be told of the logout", { error });
      return { toldServer: false };
    }
  }
}

function signedInHere({ origin }: ServerAddress, { user: { email, displayName } }: StoredLogin): SignedInHere {
  return { server: origin, email, displayName };
}

/** Why a server could not be asked. */
function unlessStopped(error: unknown): ForgeError {
  if (error instanceof ForgeError && error.code !== "CANCELLED") return error;
  throw error;
}

/** A server of an earlier time has no such question. */
function unlessUnknown(error: unknown): undefined {
  if (error instanceof ForgeError && error.code === "NOT_FOUND") return undefined;
  throw error;
}

/** What cannot be used is as good as nothing to whoever is about to replace it. */
function unlessUnusable(error: unknown): undefined {
  if (error instanceof ForgeError && error.code === "CONFIG_ERROR") return undefined;
  throw error;
}

function tokenGoesFirst(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "FORGE_TOKEN is set, and goes before any login.", {
    next: ["Unset FORGE_TOKEN to sign in as yourself, or go on with the token."],
  });
}

/** Who set it can unset it; what is kept of a login is another sign-in, and stays. */
function tokenStays(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "The token in FORGE_TOKEN is not ended by logout. Nothing was changed.", {
    next: [
      "End the token with `forge token revoke ID`; `forge token list` shows the ids.",
      "To end a login that is kept on this machine, unset FORGE_TOKEN and run `forge logout` again.",
    ],
  });
}

function nobodyWith(email: string): ForgeError {
  return new ForgeError("NOT_FOUND", `Nobody in your team has the address ${visible(email.slice(0, 254))}.`, {
    next: ["Check the address. Whoever is new comes by `forge invite`."],
  });
}

function whichServer(): ForgeError {
  return new ForgeError("CONFIG_ERROR", "It is not known which Forge server to sign in to.", {
    next: ["Run `forge login --url https://host`, or set FORGE_API_URL.", "`forge serve` starts a server."],
  });
}
