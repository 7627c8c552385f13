import { randomUUID } from "node:crypto";
import { ForgeError } from "../../../../kernel/errors.ts";
import { localPrincipal } from "../../../../kernel/principal.ts";
import { newRecord } from "../../../../kernel/record.ts";
import { type FileText, SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import type { StatusesFrom } from "../../model/limits.ts";
import type { By, ImportOutcome, ImportRequest } from "../../model/services.ts";
import type { Changing } from "../service/board-writer.ts";
import type { BoardStore, Tx } from "../store/board-store.ts";
import type { Importing } from "./board-importer.ts";
import { exportedText } from "./export-board.ts";
import type { BlocksFile } from "./read-blocks.ts";

const blocksFileName = "blocks_config.json";
const mostBytes = 64 * 1_048_576;
/** A file that was written this short a time ago may be written again without its time showing it. */
const settledMs = 2_000;
const readAgain = "`forge block import` reads it again.";

type Parts = { store: BoardStore; changing: Changing; importing: Importing; now: () => number };
/** A file as it was looked at; `fault` is why it is no file of blocks, once that was tried. */
type Seen = { bytes: number; modifiedAt: number; settled: boolean; sha256: string; fault?: string };

/** Loaded when there is a file: most projects have none. */
const reading = async () => (await import("./read-blocks.ts")).readBlocks;

/** `blocks_config.json` in the project's root: read by itself once, and after that only when asked. */
export class BlocksFileOnDisk {
  readonly #root: SafeRoot;
  readonly #parts: Parts;
  #seen: Seen | undefined;
  #looking: Promise<string[]> | undefined;

  constructor(folder: string, parts: Parts) {
    this.#root = SafeRoot.at(folder, { limits: { readBytes: mostBytes, writeBytes: mostBytes } });
    this.#parts = parts;
  }

  /** Reads the file where it was never read and the board is empty. Returns what is to be said of it. */
  look(): Promise<string[]> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #look(): Promise<string[]> {
    try {
      const seen = await this.#see();
      return seen ? await this.#compare(seen) : [];
    } catch (error) {
      return [leftAside(error)];
    }
  }

  /** What is there now. The same as before is not read again. */
  async #see(): Promise<Seen | undefined> {
    const entry = await this.#root.stat(blocksFileName);
    if (!entry) return undefined;
    const { bytes, modifiedAt } = entry;
    const before = this.#seen;
    if (before?.settled && before.bytes === bytes && before.modifiedAt === modifiedAt) return before;
    const settled = this.#parts.now() - modifiedAt > settledMs;
    this.#seen = { bytes, modifiedAt, settled, sha256: await this.#root.sha256(blocksFileName) };
    return this.#seen;
  }

  /** Asked each time: another process may have read the file. */
  async #compare(seen: Seen): Promise<string[]> {
    const { store } = this.#parts;
    const { read, hasBlocks } = await store.database.read(async (db) => {
      const known = await store.fileRead(db, blocksFileName);
      return { read: known, hasBlocks: known !== undefined || (await store.hasBlocks(db)) };
    });
    if (read?.sha256 === seen.sha256) return [];
    if (read) return [`${blocksFileName} was changed after it was read; ${readAgain}`];
    if (hasBlocks) return [`${blocksFileName} is there and was never read: ${readAgain}`];
    if (seen.fault !== undefined) return [seen.fault];
    try {
      return await this.#importFirst();
    } catch (error) {
      seen.fault = leftAside(error);
      throw error;
    }
  }

  async #importFirst(): Promise<string[]> {
    const { store, now } = this.#parts;
    const file = await this.#read();
    const blocks = (await reading())(file.text, blocksFileName);
    const outcome = await store.database.transaction(async (tx) => {
      // Another process may have been first.
      if (await store.fileRead(tx, blocksFileName)) return undefined;
      if (await store.hasBlocks(tx)) return undefined;
      return this.#bringIn(tx, ownEntry(now()), file, blocks, "furthest");
    });
    return outcome?.warnings ?? [];
  }

  /** Throws where the file is none of blocks. */
  async import(by: By, { other, statuses = "furthest", dryRun = false }: ImportRequest): Promise<ImportOutcome> {
    const { store, importing, changing } = this.#parts;
    const own = other ? undefined : await this.#read();
    const read = await reading();
    const blocks = other ? read(other.text, other.name) : read(own?.text ?? "", blocksFileName);
    if (dryRun) return this.#tryOut(by, blocks, statuses, own !== undefined);
    return store.database.transaction(async (tx) => {
      if (own) return this.#bringIn(tx, by, own, blocks, statuses);
      const outcome = await importing.bringIn(tx, by, blocks, { statuses, lastAt: undefined });
      await changing.commit(tx, by, []);
      return outcome;
    });
  }

  /** Does it, and takes it back: nothing else can tell what would come of it. */
  async #tryOut(by: By, blocks: BlocksFile, statuses: StatusesFrom, isOwn: boolean): Promise<ImportOutcome> {
    const { store, importing } = this.#parts;
    try {
      return await store.database.transaction(async (tx) => {
        const last = isOwn ? await store.fileRead(tx, blocksFileName) : undefined;
        throw new TriedOut(await importing.bringIn(tx, by, blocks, { statuses, lastAt: last?.imported_at }));
      });
    } catch (thrown) {
      if (thrown instanceof TriedOut) return thrown.outcome;
      throw thrown;
    }
  }

  /** Writes the board to the file. One that was changed and not read since is left as it is, unless told. */
  async export(by: By, overwrite: boolean): Promise<{ path: string; blocks: number; tasks: number }> {
    const { store, changing, now } = this.#parts;
    const { text, ...counts } = await store.database.read((db) => exportedText(db, store));
    const entry = await this.#root.stat(blocksFileName);
    const current = entry && (await this.#root.sha256(blocksFileName));
    const read = await store.database.read((db) => store.fileRead(db, blocksFileName));
    if (current !== undefined && current !== read?.sha256 && !overwrite) throw changedMeanwhile();
    const { sha256 } = await this.#root.write(
      blocksFileName,
      text,
      current === undefined ? { state: "absent" } : { sha256: current },
    );
    await store.database.transaction(async (tx) => {
      await store.keepFileRead(tx, { path: blocksFileName, sha256, imported_at: now() });
      await changing.commit(tx, by, [`file:${blocksFileName}`]);
    });
    return { path: blocksFileName, ...counts };
  }

  async #bringIn(tx: Tx, by: By, file: FileText, blocks: BlocksFile, statuses: StatusesFrom): Promise<ImportOutcome> {
    const { store, importing, changing, now } = this.#parts;
    const last = await store.fileRead(tx, blocksFileName);
    const outcome = await importing.bringIn(tx, by, blocks, { statuses, lastAt: last?.imported_at });
    await store.keepFileRead(tx, { path: blocksFileName, sha256: file.sha256, imported_at: now() });
    await changing.commit(tx, by, [`file:${blocksFileName}`]);
    return outcome;
  }

  #read(): Promise<FileText> {
    return this.#root.readText(blocksFileName);
  }
}

class TriedOut extends Error {
  readonly outcome: ImportOutcome;

  constructor(outcome: ImportOutcome) {
    super("only tried out");
    this.outcome = outcome;
  }
}

/** The board is of use without the file; whoever asks for the import is told the same as an error. */
function leftAside(error: unknown): string {
  if (!(error instanceof ForgeError) || error.code === "STORE_ERROR") throw error;
  return `${blocksFileName} was left aside: ${error.message}`;
}

/** Nobody asked for it: the file was there. */
function ownEntry(now: number): By {
  const principal = localPrincipal("forge");
  const begun = { id: randomUUID(), at: now, kind: "command", name: "block import", effect: "add" } as const;
  return { principal, record: newRecord(principal, begun) };
}

function changedMeanwhile(): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `${blocksFileName} has changes that the board does not know. It was left as it is.`,
    {
      details: { path: blocksFileName },
      next: ["Read it first: forge block import. Then export again, or give --force to replace it."],
    },
  );
}
