import { createHash } from "node:crypto";
import { join } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { readPrivateFile, removePrivateFile, writePrivateFile } from "../../../platform/files/write/private-file.ts";
import { userPath } from "../../../platform/host/user-folder.ts";

const maxCopyLength = 1_000_000;
const maxBytes = 50 * 1_048_576;
/** How often the size of the folder is checked; between two checks it can exceed the limit by as many copies. */
const writesBetweenLooks = 50;

const maxFiles = 100_000;

type Copy = { at: string; value: unknown };

export type NamedCopy = Copy & { name: string };

/**
 * The last answers of servers, for when they cannot be reached: files that only their owner may read, in `~/.forge/cache`,
 * written in the background. A copy belongs to one user's view of one server. A missing or broken copy is not an error.
 */
export class Copies {
  readonly #folder: string;
  readonly #now: () => number;
  #writing: Promise<void> = Promise.resolve();
  #writes = 0;

  constructor(folder = userPath("cache"), now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  async find(owner: string, name: string): Promise<Copy | undefined> {
    await this.#writing;
    const copy = await readCopy(this.#file(owner, name));
    return copy?.name === name ? copy : undefined;
  }

  /** All of an owner's, the oldest first. */
  async all(owner: string): Promise<NamedCopy[]> {
    await this.#writing;
    const copies: NamedCopy[] = [];
    for (const name of await this.#names()) {
      const copy = name.startsWith(`${hash(owner)}-`) ? await readCopy(join(this.#folder, name)) : undefined;
      if (copy) copies.push(copy);
    }
    return copies.sort((a, b) => a.at.localeCompare(b.at));
  }

  keep(owner: string, name: string, value: unknown): void {
    const text = JSON.stringify({ name, at: new Date(this.#now()).toISOString(), value });
    if (text.length > maxCopyLength) return;
    this.#behind(async () => {
      await writePrivateFile(this.#file(owner, name), text);
      if (this.#writes++ % writesBetweenLooks === 0) await this.#tidy();
    });
  }

  forget(owner: string, name: string): void {
    this.#behind(() => removePrivateFile(this.#file(owner, name)));
  }

  /** All copies of every server: for signing out. */
  async forgetAll(): Promise<void> {
    this.#behind(() => this.#tidy(0));
    await this.settle();
  }

  /** Resolves when everything is written. */
  settle(): Promise<void> {
    return this.#writing;
  }

  #behind(work: () => Promise<unknown>): void {
    this.#writing = this.#writing.then(work).then(
      () => undefined,
      () => undefined,
    );
  }

  /** The oldest go first. */
  async #tidy(bound = maxBytes): Promise<void> {
    const root = SafeRoot.at(this.#folder);
    const { entries } = await root.list();
    const found = await Promise.all(entries.filter(({ kind }) => kind === "file").map(({ name }) => root.stat(name)));
    const files = found.filter((file) => file !== undefined).sort((a, b) => a.modifiedAt - b.modifiedAt);
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of files) {
      if (bytes <= bound) return;
      await removePrivateFile(join(this.#folder, file.path));
      bytes -= file.bytes;
    }
  }

  async #names(): Promise<string[]> {
    try {
      const { entries } = await SafeRoot.at(this.#folder).list("", { maxEntries: maxFiles });
      return entries.filter(({ kind }) => kind === "file").map(({ name }) => name);
    } catch {
      // Nothing was kept yet.
      return [];
    }
  }

  #file(owner: string, name: string): string {
    return join(this.#folder, `${hash(owner)}-${hash(name)}.json`);
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

async function readCopy(file: string): Promise<NamedCopy | undefined> {
  try {
    const content = await readPrivateFile(file);
    const copy: unknown = content === undefined ? undefined : JSON.parse(content.toString());
    if (!isRecord(copy)) return undefined;
    const { name, at, value } = copy;
    return typeof name === "string" && typeof at === "string" ? { name, at, value } : undefined;
  } catch {
    return undefined;
  }
}

/** Failures that a copy helps with: the server was not reached, or a proxy in front of it says that it is down. */
const away = new Set<unknown>(["unreachable", "name", "timeout", "cut-off"]);
const awayStatuses = new Set<unknown>([502, 503, 504]);

export function isServerAway(error: unknown): boolean {
  if (!(error instanceof ForgeError) || error.code !== "NETWORK_ERROR") return false;
  return away.has(error.details?.["reason"]) || awayStatuses.has(error.details?.["status"]);
}
