import { alreadyThere } from "../errors.ts";
import { changedRegistry, changedVersion } from "../packages/errors.ts";
import type { PackageFile } from "../packages/package-files.ts";
import type { Chosen } from "./install-planner.ts";
import { readRecord } from "./installed.ts";
import type { KnownPackages } from "./known-packages.ts";
import type { Lockfile } from "./lockfile.ts";

/** What was fetched is what the registry, the lock file and this user's memory say it is. */
export function verifyPackage(
  { offers, offer }: Chosen,
  integrity: string,
  lock: Lockfile,
  known: KnownPackages,
  force: boolean,
): void {
  const { name, registry } = offers;
  const { version } = offer;
  known.checkSignature({ name, version, integrity }, offer.signature);
  // A folder on this machine changes as its owner works on it.
  if (registry.type === "folder") return;
  if (force) {
    known.acceptContent(offers, version, integrity);
    return;
  }
  const locked = lock.plugins.find((plugin) => plugin.name === name && plugin.version === version);
  if (locked && locked.integrity !== integrity) throw changedVersion(name, version, locked.integrity, integrity);
  known.checkContent(offers, version, integrity);
}

/**
 * A plugin's next version comes from the registry it was installed from. Otherwise the owner of its name in another registry
 * could replace it, and a plugin that depends on that name could replace a folder that the user created.
 */
export function assertSameOrigin({ offers }: Pick<Chosen, "offers">, path: string): void {
  const { name, registry, isNamed = false } = offers;
  const record = readRecord(path);
  if (!record) throw alreadyThere(`The plugin ${name}, which did not come from a registry,`, path);
  if (!isNamed && record.registry !== registry.url) throw changedRegistry(name, record.registry, registry.url);
}

const kinds = ["agents", "tools", "skills", "workflows", "templates", "commands", "hooks"];

export function selectFiles(
  files: PackageFile[],
  { only = [], without = [] }: { only?: string[]; without?: string[] },
): PackageFile[] {
  return files.filter(({ path }) => {
    const kind = kinds.find((name) => path.toLowerCase().startsWith(`${name}/`));
    return kind === undefined || (!without.includes(kind) && (only.length === 0 || only.includes(kind)));
  });
}
