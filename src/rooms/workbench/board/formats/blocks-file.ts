import { randomUUID } from "node:crypto";
import { ForgeError } from "../../../../kernel/errors.ts";
import { localPrincipal } from "../../../../kernel/principal.ts";
import { newRecord } from "../../../../kernel/record.ts";
import { type FileText, SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import type { StatusSource } from "../../model/limits.ts";
import type { Actor } from "../../model/services.ts";
import type { ImportOutcome, ImportRequest } from "../../model/task-model.ts";
import type { BoardWriter } from "../service/board-writer.ts";
import type { BoardStore, Tx } from "../store/board-store.ts";
import type { BoardImporter } from "./board-importer.ts";
import { exportBoard } from "./export-board.ts";
import type { ParsedBlocks } from "./read-blocks.ts";

const blocksFileName = "blocks_config.json";
const maxBytes = 64 * 1_048_576;
/** A file that was written this short a time ago may be written again without its time showing it. */
const settledMs = 2_000;
const readAgain = "`forge block import` reads it again.";

type BlocksConfigDeps = { store: BoardStore; changing: BoardWriter; importing: BoardImporter; now: () => number };
/** A file as it was looked at; `fault` is why it is no file of blocks, once that was tried. */
type FileSnapshot = { bytes: number; modifiedAt: number; settled: boolean; sha256: string; fault?: string };

/** Loaded when there is a file: most projects have none. */
const loadReader = async () => (await import("./read-blocks.ts")).readBlocks;

/** `blocks_config.json` in the project's root: read by itself once, and after that only when asked. */
export class BlocksConfigFile {
  readonly #root: SafeRoot;
  readonly #parts: BlocksConfigDeps;
  #seen: FileSnapshot | undefined;
  #looking: Promise<string[]> | undefined;

  constructor(folder: string, parts: BlocksConfigDeps) {
    this.#root = SafeRoot.at(folder, { limits: { readBytes: maxBytes, writeBytes: maxBytes } });
    this.#parts = parts;
  }

  /** Reads the file where it was never read and the board is empty. Returns what is to be said of it. */
  refresh(): Promise<string[]> {
    this.#looking ??= this.#refresh().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #refresh(): Promise<string[]> {
    try {
      const seen = await this.#takeSnapshot();
      return seen ? await this.#compare(seen) : [];
    } catch (error) {
      return [describeIgnoredFile(error)];
    }
  }

  /** What is there now. The same as before is not read again. */
  async #takeSnapshot(): Promise<FileSnapshot | undefined> {
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
  async #compare(seen: FileSnapshot): Promise<string[]> {
    const { store } = this.#parts;
    const { read, hasBlocks } = await store.database.read(async (db) => {
      const known = await store.findImportedFile(db, blocksFileName);
      return { read: known, hasBlocks: known !== undefined || (await store.hasBlocks(db)) };
    });
    if (read?.sha256 === seen.sha256) return [];
    if (read) return [`${blocksFileName} was changed after it was read; ${readAgain}`];
    if (hasBlocks) return [`${blocksFileName} is there and was never read: ${readAgain}`];
    if (seen.fault !== undefined) return [seen.fault];
    try {
      return await this.#importFirst();
    } catch (error) {
      seen.fault = describeIgnoredFile(error);
      throw error;
    }
  }

  async #importFirst(): Promise<string[]> {
    const { store, now } = this.#parts;
    const file = await this.#read();
    const blocks = (await loadReader())(file.text, blocksFileName);
    const outcome = await store.database.transaction(async (tx) => {
      // Another process may have been first.
      if (await store.findImportedFile(tx, blocksFileName)) return undefined;
      if (await store.hasBlocks(tx)) return undefined;
      return this.#importFile(tx, createImportActor(now()), file, blocks, "furthest");
    });
    return outcome?.warnings ?? [];
  }

  /** Throws where the file is none of blocks. */
  async import(by: Actor, { other, statuses = "furthest", dryRun = false }: ImportRequest): Promise<ImportOutcome> {
    const { store, importing, changing } = this.#parts;
    const own = other ? undefined : await this.#read();
    const read = await loadReader();
    const blocks = other ? read(other.text, other.name) : read(own?.text ?? "", blocksFileName);
    if (dryRun) return this.#dryRun(by, blocks, statuses, own !== undefined);
    return store.database.transaction(async (tx) => {
      if (own) return this.#importFile(tx, by, own, blocks, statuses);
      const outcome = await importing.import(tx, by, blocks, { statuses, lastAt: undefined });
      await changing.commit(tx, by, []);
      return outcome;
    });
  }

  /** Does it, and takes it back: nothing else can tell what would come of it. */
  async #dryRun(by: Actor, blocks: ParsedBlocks, statuses: StatusSource, isOwn: boolean): Promise<ImportOutcome> {
    const { store, importing } = this.#parts;
    try {
      return await store.database.transaction(async (tx) => {
        const last = isOwn ? await store.findImportedFile(tx, blocksFileName) : undefined;
        throw new DryRunRollback(await importing.import(tx, by, blocks, { statuses, lastAt: last?.imported_at }));
      });
    } catch (thrown) {
      if (thrown instanceof DryRunRollback) return thrown.outcome;
      throw thrown;
    }
  }

  /** Writes the board to the file. One that was changed and not read since is left as it is, unless told. */
  async export(by: Actor, overwrite: boolean): Promise<{ path: string; blocks: number; tasks: number }> {
    const { store, changing, now } = this.#parts;
    const { text, ...counts } = await store.database.read((db) => exportBoard(db, store));
    const entry = await this.#root.stat(blocksFileName);
    const current = entry && (await this.#root.sha256(blocksFileName));
    const read = await store.database.read((db) => store.findImportedFile(db, blocksFileName));
    if (current !== undefined && current !== read?.sha256 && !overwrite) throw changedMeanwhile();
    const { sha256 } = await this.#root.write(
      blocksFileName,
      text,
      current === undefined ? { state: "absent" } : { sha256: current },
    );
    await store.database.transaction(async (tx) => {
      await store.saveImportedFile(tx, { path: blocksFileName, sha256, imported_at: now() });
      await changing.commit(tx, by, [`file:${blocksFileName}`]);
    });
    return { path: blocksFileName, ...counts };
  }

  async #importFile(
    tx: Tx,
    by: Actor,
    file: FileText,
    blocks: ParsedBlocks,
    statuses: StatusSource,
  ): Promise<ImportOutcome> {
    const { store, importing, changing, now } = this.#parts;
    const last = await store.findImportedFile(tx, blocksFileName);
    const outcome = await importing.import(tx, by, blocks, { statuses, lastAt: last?.imported_at });
    await store.saveImportedFile(tx, { path: blocksFileName, sha256: file.sha256, imported_at: now() });
    await changing.commit(tx, by, [`file:${blocksFileName}`]);
    return outcome;
  }

  #read(): Promise<FileText> {
    return this.#root.readText(blocksFileName);
  }
}

class DryRunRollback extends Error {
  readonly outcome: ImportOutcome;

  constructor(outcome: ImportOutcome) {
    super("only tried out");
    this.outcome = outcome;
  }
}

/** The board is of use without the file; whoever asks for the import is told the same as an error. */
function describeIgnoredFile(error: unknown): string {
  if (!(error instanceof ForgeError) || error.code === "STORE_ERROR") throw error;
  return `${blocksFileName} was left aside: ${error.message}`;
}

/** Nobody asked for it: the file was there. */
function createImportActor(now: number): Actor {
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
