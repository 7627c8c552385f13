import { ForgeError } from "../../kernel/errors.ts";
import type { Redactor } from "../../kernel/redact.ts";

/** What a request says of who sends it. */
export type Identity = {
  token: string;
  /** Undefined where the server is to choose. */
  team: string | undefined;
  /** The person's id on the server, where it is known without asking. */
  userId: string | undefined;
  /** Likewise what they are called. */
  name: string | undefined;
};

/** Where tokens come from. Whether one is still good is the server's to say, never a comparison of clocks. */
export interface Credentials {
  current(): Promise<Identity>;
  /** Another identity after the server refused this token; AUTH_REQUIRED where there is none. */
  renew(refused: string): Promise<Identity>;
  /** What to tell a person whose renewed token was refused too. */
  refusal(): ForgeError;
}

/** A token that a person or a build server gave in `FORGE_TOKEN`. It cannot be renewed from here. */
export class GivenToken implements Credentials {
  readonly #identity: Identity;

  constructor({ token, team, redactor }: { token: string; team?: string | undefined; redactor: Redactor }) {
    redactor.learn(token);
    this.#identity = { token, team, userId: undefined, name: undefined };
  }

  async current(): Promise<Identity> {
    return this.#identity;
  }

  async renew(): Promise<Identity> {
    throw this.refusal();
  }

  refusal(): ForgeError {
    return new ForgeError("AUTH_REQUIRED", "The token in FORGE_TOKEN is not accepted.", {
      next: [
        "It may have expired or been revoked: make another with `forge token create`, or ask an admin of the team.",
        "Check that FORGE_API_URL names the server it was made on.",
      ],
    });
  }
}

export function notSignedIn(message: string, next = ["Run `forge login`."]): ForgeError {
  return new ForgeError("AUTH_REQUIRED", message, { next });
}
