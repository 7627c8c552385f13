import { readdirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { entryAt } from "../../files/entry-at.ts";
import { errorCode } from "../../host/error-code.ts";
import { isStateFolder } from "../../state/state-folder.ts";
import { Turns } from "../turns.ts";
import { holdOpen, sha256In } from "./held-file.ts";
import { CopyRefused, makeCopy, refuseLarge, shortHash } from "./quarantine-copy.ts";

/** Copies are the user's and never removed, so their number has an end; the database itself stays where it is anyway. */
export const maxCopies = 5;
const copyName = /^[^/\\]{1,200}-\d{8}T\d{6}Z-[0-9a-f]{12}\.db$/;

type CopyResult = { copy: string } | { why: string };

/** Whether the store can be worked with apart from what is damaged. Its content then changes all the time: one copy is enough. */
type DamageContext = { inUse: boolean };

const turns = new Turns();
/** The copy of each database as it was last seen: reading all of it again at each call would only cost time. */
const knownCopies = new Map<string, { state: string; copy: string }>();

/**
 * Keeps a copy of a damaged database and its log, byte for byte, beside it in `quarantine`: once for each content, whichever
 * process meets it. The database itself is only read.
 */
export function keepCopy(file: string, met: DamageContext): Promise<CopyResult> {
  return turns.run(async () => {
    try {
      return { copy: await copyOnce(file, met) };
    } catch (error) {
      return { why: whyNot(error) };
    }
  });
}

export function quarantineOf(stateDir: string): string {
  return join(stateDir, "quarantine");
}

/** The copies in a project's state folder, oldest first. */
export function listCopies(stateDir: string): string[] {
  const folder = quarantineOf(stateDir);
  if (!isStateFolder(folder)) return [];
  return readdirSync(folder)
    .filter((name) => copyName.test(name))
    .sort()
    .map((name) => join(folder, name));
}

async function copyOnce(file: string, { inUse }: DamageContext): Promise<string> {
  const entry = entryAt(file);
  if (!entry?.isFile()) throw new CopyRefused("the file does not exist");
  const state = [entry.dev, entry.ino, entry.size, entry.mtimeMs, entry.ctimeMs].join();
  const before = knownCopies.get(file);
  if (before?.state === state && entryAt(before.copy)) return before.copy;
  const copy = (await earlierCopy(file, entry, inUse)) ?? (await newCopy(file, entry));
  knownCopies.set(file, { state, copy });
  return copy;
}

async function earlierCopy(file: string, { birthtimeMs, size }: Stats, inUse: boolean): Promise<string | undefined> {
  const copies = listCopies(dirname(file));
  if (inUse) return copies.findLast((copy) => (entryAt(copy)?.mtimeMs ?? 0) >= birthtimeMs);
  refuseLarge(size);
  const sha256 = await sha256In(holdOpen(file));
  return copies.find((copy) => copy.endsWith(`-${shortHash(sha256)}.db`));
}

async function newCopy(file: string, entry: Stats): Promise<string> {
  const folder = quarantineOf(dirname(file));
  if (listCopies(dirname(file)).length >= maxCopies) {
    throw new CopyRefused(`there are already ${maxCopies} copies in ${folder}`);
  }
  return await makeCopy(file, entry, holdOpen(file), folder);
}

const reasons: Record<string, string> = {
  ENOSPC: "the disk has no space for it",
  EDQUOT: "this user's disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "this user cannot read or write there",
  EPERM: "this user cannot read or write there",
  EIO: "the disk reported an error",
};

function whyNot(error: unknown): string {
  if (error instanceof CopyRefused) return error.message;
  const code = errorCode(error) ?? "nothing";
  return reasons[code] ?? `the system said ${code}`;
}
