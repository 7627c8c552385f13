import type { Role, Team, TokenInfo } from "../../rooms/access/ports.ts";

/** Who is signed in to a server from here, as far as this machine knows. */
export type SignedInHere = { server: string; email: string; displayName: string };

/** Who a server says we are. */
export type WhoAmI = SignedInHere & {
  /** How we are signed in. */
  by: "forge login" | "FORGE_TOKEN";
  /** Undefined where the server has no way to ask. */
  there: { team: Team; role: Role; scopes: readonly string[] } | undefined;
};

/** A sign-in that waits for the person to approve it in a browser. */
export type PendingLogin = {
  server: string;
  userCode: string;
  verificationUri: string;
  /** The same with the code filled in. */
  completeUri: string;
  /** Seconds. */
  expiresIn: number;
  decided(signal: AbortSignal, waiting: (secondsLeft: number) => void): Promise<SignedInHere>;
};

export type PushedTickets = {
  server: string;
  team: string;
  moved: { id: string; newId: string }[];
  /** Those that an earlier run has moved. */
  before: { id: string; newId: string }[];
};

/** What a person does about a Forge server and their place on it. */
export type AccessDesk = {
  /** Undefined where nobody is, or where what is kept of it cannot be used. */
  signedIn(): Promise<SignedInHere | undefined>;
  beginLogin(url: string | undefined, signal: AbortSignal): Promise<PendingLogin>;
  /** Whether the server was told too; undefined where nobody was signed in. */
  logOut(signal: AbortSignal): Promise<{ toldServer: boolean } | undefined>;
  whoAmI(signal: AbortSignal): Promise<WhoAmI>;
  tokens(signal: AbortSignal): Promise<TokenInfo[]>;
  createToken(
    wanted: { name: string; scopes: readonly string[]; days: number | undefined },
    signal: AbortSignal,
  ): Promise<TokenInfo & { secret: string }>;
  revokeToken(id: string, signal: AbortSignal): Promise<void>;
  invite(
    wanted: { role: Role; email: string | undefined },
    signal: AbortSignal,
  ): Promise<{ link: string; expiresAt: string }>;
  pushLocal(signal: AbortSignal, report: (done: number, total: number) => void): Promise<PushedTickets>;
};

/** How `forge serve` is to listen; what is not said comes from the settings. */
export type ServeRequest = {
  host: string | undefined;
  port: number | undefined;
  data: string | undefined;
  publicUrl: string | undefined;
  trustProxy: boolean | undefined;
};

export type ServedTeam = { url: string; publicUrl: string; setupUrl: string | undefined };
