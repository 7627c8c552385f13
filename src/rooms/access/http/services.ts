import type { Origin, SignedIn } from "../../../commons/people.ts";
import type { Access } from "../service/access.ts";
import { needsSignIn, teamNotFound } from "./errors.ts";

/** What requests about users, teams and tokens need of the server. */
export type AccessRouteServices = {
  access: Access;
  /** Undefined on public routes. */
  signedIn: SignedIn | undefined;
  /** The bearer token as it was sent. */
  bearer: string | undefined;
  from: Origin;
  /** Where people reach the server, without a slash at the end. */
  publicUrl: string;
};

export function requireSignedIn({ signedIn }: Pick<AccessRouteServices, "signedIn">): SignedIn {
  if (signedIn) return signedIn;
  throw needsSignIn();
}

/** Another team and one that does not exist get the same answer. */
export function requireOwnTeam(services: Pick<AccessRouteServices, "signedIn">, id: string): SignedIn {
  const signedIn = requireSignedIn(services);
  if (signedIn.team.id === id) return signedIn;
  throw teamNotFound(id);
}
