import type { ForgeError } from "../../../kernel/errors.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import { tokenNotAccepted } from "../errors.ts";

/** What a request says of who sends it. */
export type Identity = {
  token: string;
  /** Undefined where the server is to choose. */
  team: string | undefined;
  /** The person's id on the server, where it is known without asking. */
  userId: string | undefined;
  /** Likewise what they are called. */
  name: string | undefined;
  /** A token that somebody set up for this run (`FORGE_TOKEN`), not the person's sign-in. */
  isGiven: boolean;
};

/** Where tokens come from. Only the server decides whether one is still valid, never a comparison of clocks. */
export interface Credentials {
  current(): Promise<Identity>;
  /** Another identity after the server refused this token; AUTH_REQUIRED where there is none. */
  renew(refused: string): Promise<Identity>;
  /** What to tell a person whose renewed token was refused too. */
  refusal(): ForgeError;
}

/** The token in `FORGE_TOKEN`. It cannot be renewed from here. */
export class FixedToken implements Credentials {
  readonly #identity: Identity;

  constructor({ token, team, redactor }: { token: string; team?: string | undefined; redactor: Redactor }) {
    redactor.learn(token);
    this.#identity = { token, team, userId: undefined, name: undefined, isGiven: true };
  }

  async current(): Promise<Identity> {
    return this.#identity;
  }

  async renew(): Promise<Identity> {
    throw this.refusal();
  }

  refusal(): ForgeError {
    return tokenNotAccepted();
  }
}
