import { join, posix } from "node:path";
import { entryAt } from "../../../../platform/files/entry-at.ts";
import { locateRepository } from "../../../../platform/git/run/locate-repository.ts";
import type { TreeChange } from "../../../../platform/git/work-model.ts";
import { readPinned } from "../../../../platform/state/pinned-file.ts";
import type { Execution } from "../../model/execution-model.ts";
import { secretFiles } from "./errors.ts";

/** A file that contains a key is small; and only so many new files are scanned. */
const maxScannedBytes = 65_536;
const maxScannedFiles = 2_000;

const secretNames = [
  /^\.env(?:\.(?!(?:example|sample|template|dist|defaults?)$).*)?$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/,
  /\.(?:pem|p12|pfx)$/,
];
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

export function hasSecretName(path: string): boolean {
  const name = posix.basename(path).toLowerCase();
  return secretNames.some((pattern) => pattern.test(name));
}

function holdsPrivateKey(workTree: string, path: string): boolean {
  const file = join(workTree, path);
  const entry = entryAt(file);
  if (!entry?.isFile() || entry.size > maxScannedBytes) return false;
  const read = readPinned(file, [workTree]);
  return "bytes" in read && privateKey.test(read.bytes.toString("latin1"));
}
