import { recordIn, textIn } from "../definitions/field-values.ts";
import { scopeOf } from "../definitions/reference.ts";
import { changedKey, changedVersion, indexRolledBack, invalidSignature, missingSignature } from "../packages/errors.ts";
import { fingerprintOf, isSignedBy, type Signature } from "../packages/signature.ts";
import type { Fields } from "../types.ts";
import { AuthFile } from "./auth-file.ts";
import type { PluginOffers } from "./offers.ts";

const maxVersions = 2_000;
const oldIndexMs = 7 * 86_400_000;

/**
 * What this user has seen of registries before: who signs in a scope, how far an index had come, and what a version was. A
 * registry, or someone between, can then not replace any of it unnoticed.
 */
export class KnownPackages {
  readonly #file: AuthFile;
  /** By scope, or by name where there is none: the key that the first package was signed with. */
  #keys: Fields = {};
  /** By registry and name: what the registry last said. */
  #indexes: Fields = {};
  readonly #learnt = { keys: new Map<string, string>(), indexes: new Set<string>() };

  constructor(home: string) {
    this.#file = new AuthFile(home, "known-packages.json");
  }

  async load(): Promise<void> {
    const fields = await this.#file.read();
    this.#keys = { ...recordIn(fields, "keys") };
    this.#indexes = { ...recordIn(fields, "indexes") };
  }

  /** Adds what was learnt to the file as it is now: another process may have learnt something too. */
  async save(): Promise<void> {
    const { keys, indexes } = this.#learnt;
    if (keys.size === 0 && indexes.size === 0) return;
    await this.#file.change((fields) => {
      const known = { ...recordIn(fields, "keys") };
      for (const [owner, key] of keys) {
        this.#assertKey(owner, textIn(known, owner), key);
        known[owner] = key;
      }
      const seen = { ...recordIn(fields, "indexes") };
      for (const key of indexes) seen[key] = newerIndex(recordIn(seen, key) ?? {}, recordIn(this.#indexes, key) ?? {});
      return { ...fields, keys: known, indexes: seen };
    });
    keys.clear();
    indexes.clear();
  }

  /** Refuses an index that is behind what it was; warns of one that is not made again. */
  checkIndex({ name, registry, offers, serial, generatedAt }: PluginOffers): string[] {
    const key = `${registry.url} ${name}`;
    const before = recordIn(this.#indexes, key) ?? {};
    const last = before["serial"];
    const versions = Array.isArray(before["versions"]) ? before["versions"] : [];
    const offered = new Set(offers.map(({ version }) => version));
    const gone = versions.find((version) => !offered.has(version));
    // One that no longer counts could hide that it went back.
    if (typeof gone === "string" || (typeof last === "number" && (serial ?? -1) < last))
      throw indexRolledBack(registry.name, name, typeof gone === "string" ? gone : undefined, {
        file: this.#file.path,
        key,
      });
    this.#remember(key, {
      ...before,
      ...(serial !== undefined && { serial }),
      ...(generatedAt !== undefined && { dated: true }),
      versions: [...offered].slice(0, maxVersions),
    });
    if (generatedAt === undefined && before["dated"] === true)
      return [
        `${registry.name}: its answer about ${name} no longer says how old it is, so newer versions may be hidden.`,
      ];
    const isOld = generatedAt !== undefined && Date.now() - generatedAt > oldIndexMs;
    return isOld
      ? [`${registry.name}: its answer about ${name} is older than a week, so newer versions may be hidden.`]
      : [];
  }

  /** A version is what it was the first time. */
  checkContent(offers: PluginOffers, version: string, integrity: string): void {
    const index = recordIn(this.#indexes, `${offers.registry.url} ${offers.name}`) ?? {};
    const before = textIn(recordIn(index, "content") ?? {}, version);
    if (before !== undefined && before !== integrity) throw changedVersion(offers.name, version, before, integrity);
    this.acceptContent(offers, version, integrity);
  }

  /** From now on the version is this. */
  acceptContent({ name, registry }: PluginOffers, version: string, integrity: string): void {
    const key = `${registry.url} ${name}`;
    const index = recordIn(this.#indexes, key) ?? {};
    this.#remember(key, { ...index, content: { ...recordIn(index, "content"), [version]: integrity } });
  }

  /** The first key of a scope is remembered; from then on every package of the scope must be signed with it. */
  checkSignature(signed: { name: string; version: string; integrity: string }, signature: Signature | undefined): void {
    const owner = scopeOf(signed.name) ?? signed.name;
    const pinned = textIn(this.#keys, owner);
    if (!signature) {
      if (pinned !== undefined) throw missingSignature(signed.name, signed.version, owner);
      return;
    }
    if (!isSignedBy(signature, signed)) throw invalidSignature(signed.name, signed.version);
    this.#assertKey(owner, pinned, signature.key);
    if (pinned !== undefined) return;
    this.#keys[owner] = signature.key;
    this.#learnt.keys.set(owner, signature.key);
  }

  #assertKey(owner: string, pinned: string | undefined, key: string): void {
    if (pinned !== undefined && pinned !== key)
      throw changedKey(owner, fingerprintOf(pinned), fingerprintOf(key), this.#file.path);
  }

  #remember(key: string, index: Fields): void {
    this.#indexes[key] = index;
    this.#learnt.indexes.add(key);
  }
}

/** Two processes may have asked at the same time: the newer answer counts, and what versions are is known from both. */
function newerIndex(before: Fields, own: Fields): Fields {
  const isBehind = Number(before["serial"] ?? 0) > Number(own["serial"] ?? 0);
  const content = { ...recordIn(before, "content"), ...recordIn(own, "content") };
  return { ...(isBehind ? before : own), ...(Object.keys(content).length > 0 && { content }) };
}
