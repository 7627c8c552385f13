import { type ChosenServer, ConfigFile, chooseServer, openServer, serverAddress } from "./commons/remote/index.ts";
import type { Settings } from "./config.ts";
import type { AccessDesk, PendingLogin, SignedInHere, WhoAmI } from "./hosts/cli/access.ts";
import { ForgeError } from "./kernel/errors.ts";
import type { Redactor } from "./kernel/redact.ts";
import { visible } from "./kernel/visible.ts";
import { pushLocal } from "./local-push.ts";
import { Fetcher } from "./platform/fetch/fetcher.ts";
import type { Log } from "./platform/log.ts";
import type { Project } from "./platform/project.ts";
import { DeviceLogin, RemoteAccess } from "./rooms/access/remote/index.ts";
import { version } from "./version.ts";

type Given = {
  settings: Settings;
  project: Project;
  redactor: Redactor;
  log: Log;
  /** Has what is opened closed at the end. */
  onEnd(close: () => void): void;
};

/** Logins, tokens and the like, for the person who gives the command. */
export function openAccessDesk({ settings, project, redactor, log, onEnd }: Given): AccessDesk {
  const file = new ConfigFile(log);
  const fetcher = new Fetcher({ log });
  onEnd(() => fetcher.close());
  const { apiUrl, token, appUrl } = settings;

  const open = (chosen: ChosenServer) => openServer({ chosen, file, fetcher, redactor, log });
  async function chosen(): Promise<ChosenServer> {
    const server = await chooseServer({ apiUrl, token, file });
    if (server) return server;
    throw new ForgeError("AUTH_REQUIRED", "You are not signed in to a Forge server.", {
      suggestions: ["Run `forge login --url https://host`."],
    });
  }
  const access = async () => new RemoteAccess(open(await chosen()));

  async function stored(): Promise<SignedInHere | undefined> {
    const login = await file.read();
    if (!login) return undefined;
    const address = await chooseServer({ apiUrl: login.apiUrl, token: undefined, file });
    return { server: address?.address.origin ?? "", email: login.user.email, displayName: login.user.displayName };
  }

  return {
    signedIn: () => stored().catch(unlessUnusable),

    async beginLogin({ url, team }, signal): Promise<PendingLogin> {
      if (token !== undefined) throw tokenGoesFirst();
      const given = url ?? apiUrl;
      if (given === undefined) throw whichServer();
      const address = serverAddress(given, url === undefined ? "FORGE_API_URL" : "--url");
      const client = `forge ${version}`;
      const login = await DeviceLogin.begin({ address, fetcher, file, redactor, client, team, appUrl }, signal);
      const { userCode, verificationUri, completeUri, expiresIn } = login;
      return {
        ...{ server: address.origin, userCode, verificationUri, completeUri, expiresIn },
        async decided(stop, waiting) {
          const { user } = await login.decided(stop, waiting);
          return { server: address.origin, email: user.email, displayName: user.displayName };
        },
      };
    },

    async logOut(signal) {
      if (token !== undefined) throw tokenStays();
      const login = await file.read().catch(unlessUnusable);
      const told = login === undefined ? { toldServer: false } : await tellServer(login.apiUrl, signal);
      const { Copies } = await import("./rooms/tickets/remote/index.ts");
      await new Copies().forgetAll();
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
        return { ...here, by, there: undefined };
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

    async pushLocal(signal, report) {
      const server = open(await chosen());
      const { team } = await new RemoteAccess(server).me(signal);
      return pushLocal({ server, team, settings, project, redactor, log, signal, report });
    },
  };

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
    suggestions: ["Unset FORGE_TOKEN to sign in as yourself, or go on with the token."],
  });
}

/** Who set it can unset it; what is kept of a login is another sign-in, and stays. */
function tokenStays(): ForgeError {
  return new ForgeError("CONFLICT_ERROR", "The token in FORGE_TOKEN is not ended by logout. Nothing was changed.", {
    suggestions: [
      "End the token with `forge token revoke ID`; `forge token list` shows the ids.",
      "To end a login that is kept on this machine, unset FORGE_TOKEN and run `forge logout` again.",
    ],
  });
}

function nobodyWith(email: string): ForgeError {
  return new ForgeError("NOT_FOUND", `Nobody in your team has the address ${visible(email.slice(0, 254))}.`, {
    suggestions: ["Check the address. Whoever is new comes by `forge invite`."],
  });
}

function whichServer(): ForgeError {
  return new ForgeError("CONFIG_ERROR", "It is not known which Forge server to sign in to.", {
    suggestions: ["Run `forge login --url https://host`, or set FORGE_API_URL.", "`forge serve` starts a server."],
  });
}
