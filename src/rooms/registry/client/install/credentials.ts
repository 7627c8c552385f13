import { recordIn } from "../definitions/field-values.ts";
import type { Fields } from "../types.ts";
import { AuthFile } from "./auth-file.ts";

/** Tokens of registries. */
export class Credentials {
  readonly #file: AuthFile;

  constructor(home: string) {
    this.#file = new AuthFile(home, "credentials.json");
  }

  /** A token is its server's: a registry that gets the same name later does not get it. */
  async save(
    { name, url }: { name: string; url: string },
    token: string,
    who: { username?: string | undefined; email?: string | undefined },
  ): Promise<void> {
    const now = new Date().toISOString();
    const entry = { type: "token", token, origin: new URL(url).origin, ...who, authenticated_at: now };
    await this.#change((registries) => ({ ...registries, [name]: entry }));
  }

  /** Returns whether there was one. */
  async remove(registry: string): Promise<boolean> {
    let had = false;
    await this.#change((registries) => {
      had = Object.hasOwn(registries, registry);
      return Object.fromEntries(Object.entries(registries).filter(([name]) => name !== registry));
    });
    return had;
  }

  async #change(change: (registries: Fields) => Fields): Promise<void> {
    await this.#file.change((before) => {
      const now = new Date().toISOString();
      const registries = change(recordIn(before, "registries") ?? {});
      return { version: "1.0", created_at: now, ...before, updated_at: now, registries };
    });
  }
}
