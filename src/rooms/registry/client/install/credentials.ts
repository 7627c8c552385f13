import { join } from "node:path";
import { isRecord } from "../../../../kernel/json.ts";
import { readPrivateFile, writePrivateFile } from "../../../../platform/files/write/private-file.ts";
import { ensurePrivateFolder } from "../../../../platform/files/write/private-folder.ts";
import { recordIn } from "../definitions/field-values.ts";
import type { Fields } from "../types.ts";

/** Tokens of registries in `~/.fractary/auth/credentials.json`, which only the user can read. */
export class Credentials {
  readonly #home: string;

  constructor(home: string) {
    this.#home = home;
  }

  async save(
    registry: string,
    token: string,
    who: { username?: string | undefined; email?: string | undefined },
  ): Promise<void> {
    const now = new Date().toISOString();
    const entry = { type: "token", token, ...who, authenticated_at: now };
    await this.#change((registries) => ({ ...registries, [registry]: entry }));
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
    const file = join(this.#home, ".fractary", "auth", "credentials.json");
    const bytes = await readPrivateFile(file);
    const value: unknown = bytes ? JSON.parse(bytes.toString("utf8")) : {};
    const before = isRecord(value) ? value : {};
    const registries = change(recordIn(before, "registries") ?? {});
    const now = new Date().toISOString();
    ensurePrivateFolder(join(this.#home, ".fractary"));
    const after = { version: "1.0", created_at: now, ...before, updated_at: now, registries };
    await writePrivateFile(file, `${JSON.stringify(after, undefined, 2)}\n`);
  }
}
