import { ForgeError } from "../../../kernel/errors.ts";
import type { Access, Origin, SignedIn } from "../service/ports.ts";

/** What a request about people and their rights needs of the server. */
export type AccessRouteServices = {
  access: Access;
  /** Undefined where nobody is, on routes that anybody may call. */
  signedIn: SignedIn | undefined;
  /** The bearer token as it was sent. */
  bearer: string | undefined;
  from: Origin;
  /** Where people reach the server, without a slash at the end. */
  publicUrl: string;
};

export function requireSignedIn({ signedIn }: Pick<AccessRouteServices, "signedIn">): SignedIn {
  if (signedIn) return signedIn;
  throw new ForgeError("AUTH_REQUIRED", "This needs somebody who is signed in.", {
    next: ["Sign in with `forge login` and send the token as `Authorization: Bearer …`."],
  });
}

/** A team has one answer for what is another's and for what is nowhere. */
export function requireOwnTeam(services: Pick<AccessRouteServices, "signedIn">, id: string): SignedIn {
  const signedIn = requireSignedIn(services);
  if (signedIn.team.id === id) return signedIn;
  throw new ForgeError("NOT_FOUND", `There is no team ${id}.`, {
    details: { teamId: id },
    next: ["GET /api/me tells the team that the token is for."],
  });
}
