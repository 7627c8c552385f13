import type { ForgeError } from "../../../kernel/errors.ts";
import type { Role, Team, TokenInfo } from "../service/ports.ts";

/** Who is signed in to a server from here, as far as this machine knows. */
export type SignedInHere = { server: string; email: string; displayName: string };

/** With the server's word on it: whether it still accepts the sign-in, or why it could not be asked. */
export type StandingSignIn = SignedInHere & { holds: boolean | ForgeError };

/** A team on the server that one is in. */
export type TeamOfMine = Team & { role: Role };

/** Who a server says we are. */
export type WhoAmI = SignedInHere & {
  /** How we are signed in. */
  by: "forge login" | "FORGE_TOKEN";
  /** Undefined where the server has no way to ask. */
  there: { team: Team; role: Role; scopes: readonly string[]; teams: readonly TeamOfMine[] } | undefined;
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

/** What a person does about a Forge server and their place on it. */
export type AccessDesk = {
  /** Undefined where nobody is, or where what is kept of it cannot be used. */
  signedIn(): Promise<SignedInHere | undefined>;
  /** The same, asked of the server: what a new login would replace. */
  standing(signal: AbortSignal): Promise<StandingSignIn | undefined>;
  /** Where no server is named, with the one that the person is signed in to. What is kept is replaced once it is approved. */
  beginLogin(wanted: { url: string | undefined; team: string | undefined }, signal: AbortSignal): Promise<PendingLogin>;
  /** Whether the server was told too, or had ended it before; undefined where nobody was signed in. */
  logOut(signal: AbortSignal): Promise<{ toldServer: boolean; hadEnded?: true } | undefined>;
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
  /** For whoever in the team has this address. */
  resetLink(email: string, signal: AbortSignal): Promise<{ link: string; expiresAt: string }>;
  teams(signal: AbortSignal): Promise<TeamOfMine[]>;
  addTeam(name: string, signal: AbortSignal): Promise<Team>;
};
