import { isRecord } from "../../../../kernel/json.ts";
import { readPrivateFile, writePrivateFile } from "../../../../platform/files/write/private-file.ts";
import { recordIn, textIn } from "../definitions/field-values.ts";
import { scopeOf } from "../definitions/reference.ts";
import { changedKey, changedVersion, indexRolledBack, invalidSignature, missingSignature } from "../packages/errors.ts";
import { fingerprintOf, isSignedBy, type Signature } from "../packages/signature.ts";
import type { Fields } from "../types.ts";
import type { PluginOffers } from "./offers.ts";

type Known = {
  /** By scope, or by name where there is none: the key that the first package was signed with. */
  keys: Fields;
  /** By registry and name: what the registry last said. */
  indexes: Fields;
};

const maxVersions = 2_000;
const oldIndexMs = 7 * 86_400_000;

/**
 * What this user has seen of registries before: who signs in a scope, how far an index had come, and what a version was. A
 * registry, or someone between, can then not replace any of it unnoticed.
 */
export class KnownPackages {
  readonly #file: string;
  #known: Known | undefined;
  #isChanged = false;

  constructor(file: string) {
    this.#file = file;
  }

  async load(): Promise<void> {
    const bytes = await readPrivateFile(this.#file);
    let value: unknown;
    try {
      value = bytes && JSON.parse(bytes.toString("utf8"));
    } catch {
      value = undefined;
    }
    const fields = isRecord(value) ? value : {};
    this.#known = { keys: recordIn(fields, "keys") ?? {}, indexes: recordIn(fields, "indexes") ?? {} };
  }

  async save(): Promise<void> {
    if (this.#isChanged) await writePrivateFile(this.#file, `${JSON.stringify(this.#known, undefined, 2)}\n`);
    this.#isChanged = false;
  }

  /** Refuses an index that is behind what it was; warns of one that is not made again. */
  checkIndex({ name, registry, offers, serial, generatedAt }: PluginOffers): string[] {
    const { indexes } = this.#state();
    const key = `${registry.url} ${name}`;
    const before = recordIn(indexes, key) ?? {};
    const last = before["serial"];
    const versions = Array.isArray(before["versions"]) ? before["versions"] : [];
    const gone = versions.find((version) => !offers.some((offer) => offer.version === version));
    if (typeof gone === "string" || (typeof last === "number" && serial !== undefined && serial < last))
      throw indexRolledBack(registry.name, name, typeof gone === "string" ? gone : undefined);
    indexes[key] = {
      ...before,
      ...(serial !== undefined && { serial }),
      versions: offers.slice(0, maxVersions).map(({ version }) => version),
    };
    this.#isChanged = true;
    const isOld = generatedAt !== undefined && Date.now() - generatedAt > oldIndexMs;
    return isOld
      ? [`${registry.name}: its answer about ${name} is older than a week, so newer versions may be hidden.`]
      : [];
  }

  /** A version is what it was the first time. */
  checkContent({ name, registry }: PluginOffers, version: string, integrity: string): void {
    const { indexes } = this.#state();
    const key = `${registry.url} ${name}`;
    const index = recordIn(indexes, key) ?? {};
    const seen = recordIn(index, "content") ?? {};
    const before = textIn(seen, version);
    if (before !== undefined && before !== integrity) throw changedVersion(name, version, before, integrity);
    indexes[key] = { ...index, content: { ...seen, [version]: integrity } };
    this.#isChanged = true;
  }

  /** The first key of a scope is remembered; from then on every package of the scope must be signed with it. */
  checkSignature(signed: { name: string; version: string; integrity: string }, signature: Signature | undefined): void {
    const { keys } = this.#state();
    const owner = scopeOf(signed.name) ?? signed.name;
    const pinned = textIn(keys, owner);
    if (!signature) {
      if (pinned !== undefined) throw missingSignature(signed.name, signed.version, owner);
      return;
    }
    if (!isSignedBy(signature, signed)) throw invalidSignature(signed.name, signed.version);
    if (pinned !== undefined && pinned !== signature.key)
      throw changedKey(owner, fingerprintOf(pinned), fingerprintOf(signature.key), this.#file);
    keys[owner] = signature.key;
    this.#isChanged = true;
  }

  #state(): Known {
    if (!this.#known) throw new Error("what is known of packages was not loaded");
    return this.#known;
  }
}
