import type { TokenInfo } from "../../src/rooms/access/model/model.ts";
import type {
  AccessDesk,
  PendingLogin,
  PushedTickets,
  SignedInHere,
  StandingSignIn,
  WhoAmI,
} from "../../src/rooms/access/remote/desk.ts";

export const ada: SignedInHere = { server: "https://forge.example", email: "ada@example.com", displayName: "Ada" };

const aToken: TokenInfo = {
  id: "5d0c9a2e",
  name: "ci",
  owner: "ada@example.com",
  scopes: ["tickets:read"],
  createdAt: "2026-11-01T12:00:00.000Z",
};

/** A server's people in memory; it remembers what was asked of it. */
export class MemoryAccess implements AccessDesk {
  deeds: unknown[][] = [];
  here: SignedInHere | undefined;
  holds: StandingSignIn["holds"] = true;
  pending: PendingLogin = {
    server: ada.server,
    userCode: "ABCD-2345",
    verificationUri: `${ada.server}/device`,
    completeUri: `${ada.server}/device?code=ABCD-2345`,
    expiresIn: 300,
    decided: async (_signal, waiting) => {
      waiting(272);
      return ada;
    },
  };
  loggedOut: { toldServer: boolean; hadEnded?: true } | undefined = { toldServer: true };
  who: WhoAmI = {
    ...ada,
    by: "forge login",
    there: {
      team: { id: "t-1", name: "Engines", slug: "engines" },
      role: "admin",
      scopes: ["tickets:read"],
      teams: [],
    },
  };
  all: TokenInfo[] = [aToken];
  pushed: PushedTickets = { server: ada.server, team: "Engines", moved: [], before: [] };

  signedIn = async () => this.here;
  standing = async () => this.here && { ...this.here, holds: this.holds };

  async beginLogin(wanted: unknown): Promise<PendingLogin> {
    this.deeds.push(["beginLogin", wanted]);
    return this.pending;
  }

  logOut = async () => this.loggedOut;
  whoAmI = async () => this.who;
  tokens = async () => this.all;

  async createToken(wanted: unknown) {
    this.deeds.push(["createToken", wanted]);
    return { ...aToken, secret: "fgp_secret" };
  }

  async revokeToken(id: string): Promise<void> {
    this.deeds.push(["revokeToken", id]);
  }

  async invite(wanted: unknown) {
    this.deeds.push(["invite", wanted]);
    return { link: `${ada.server}/invite?code=abc`, expiresAt: "2026-11-08T12:00:00.000Z" };
  }

  async resetLink(email: string) {
    this.deeds.push(["resetLink", email]);
    return { link: `${ada.server}/reset?code=abc`, expiresAt: "2026-11-08T12:00:00.000Z" };
  }

  teams = async () => [{ id: "t-1", name: "Engines", slug: "engines", role: "admin" as const }];

  async addTeam(name: string) {
    this.deeds.push(["addTeam", name]);
    return { id: "t-2", name, slug: name.toLowerCase() };
  }

  async pushLocal(_signal: AbortSignal, report: (done: number, total: number) => void): Promise<PushedTickets> {
    report(0, 2);
    return this.pushed;
  }
}
