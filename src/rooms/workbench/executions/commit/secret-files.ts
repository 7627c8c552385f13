import { join } from "node:path";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { holdsSecrets, isProtected } from "../../../../platform/files/protected-names.ts";
import { locateRepository } from "../../../../platform/git/run/locate-repository.ts";
import type { TreeChange } from "../../../../platform/git/work-model.ts";
import { readPinned } from "../../../../platform/state/pinned-file.ts";
import type { Execution } from "../../model/execution-model.ts";
import { secretFiles } from "./errors.ts";

/** A file that contains a key is small; and only so many new files are scanned. */
const maxScannedBytes = 65_536;
const maxScannedFiles = 2_000;

const keyEnding = /\.(?:pem|p12|pfx)$/i;
const privateKey = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/;

/** Throws if files that nobody named are new and look like secrets. */
export function refuseSecretFiles({ root }: Pick<Execution, "root">, unnamed: readonly TreeChange[]): void {
  const created = unnamed.filter(({ action }) => action === "created").map(({ path }) => path);
  const byName = new Set(created.filter(hasSecretName));
  const others = created.filter((path) => !byName.has(path)).slice(0, maxScannedFiles);
  const workTree = others.length === 0 ? root : (locateRepository(root)?.workTree ?? root);
  const found = [...byName, ...others.filter((path) => holdsPrivateKey(workTree, path))];
  if (found.length > 0) throw secretFiles(found);
}

/** Protected files are asked about as such. */
export function hasSecretName(path: string): boolean {
  return keyEnding.test(path) || (holdsSecrets(path) && !isProtected(path));
}

function holdsPrivateKey(workTree: string, path: string): boolean {
  const file = join(workTree, path);
  const entry = entryAt(file);
  if (!entry?.isFile() || entry.size > maxScannedBytes) return false;
  const read = readPinned(file, [workTree]);
  return "bytes" in read && privateKey.test(read.bytes.toString("latin1"));
}
