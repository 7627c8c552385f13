import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Action } from "../../../../kernel/action.ts";
import type { Actor } from "../../../../kernel/calls/call.ts";
import { newRecord } from "../../../../kernel/calls/new-record.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { localPrincipal } from "../../../../kernel/principal.ts";
import { type FileText, SafeRoot } from "../../../../platform/files/root/safe-root.ts";
import type { Advice } from "../../model/advice.ts";
import type { StatusSource } from "../../model/limits.ts";
import type { ImportOutcome, ImportRequest } from "../../model/task-model.ts";
import { missingBlocksFile, unknownFileChanges } from "../model/errors.ts";
import type { BoardWriter } from "../service/board-writer.ts";
import type { BoardStore, Tx } from "../store/board-store.ts";
import type { BoardImporter } from "./board-importer.ts";
import { exportBoard } from "./export-board.ts";
import type { ParsedBlocks } from "./read-blocks.ts";

const blocksFileName = "blocks_config.json";
const maxBytes = 64 * 1_048_576;
/** A file that was written this recently may be written again without a new modification time. */
const settledMs = 2_000;
const importAgain: Action = { command: "block import", why: "to import it again" };
const noAdvice: Advice = { warnings: [], next: [] };

type BlocksConfigDeps = { store: BoardStore; writer: BoardWriter; importer: BoardImporter; now: () => number };
/** The file when it was last read; `problem` is why it is not a valid file of blocks. */
type FileSnapshot = { bytes: number; modifiedAt: number; settled: boolean; sha256: string; problem?: string };

/** Loaded when there is a file: most projects have none. */
const loadReader = async () => (await import("./read-blocks.ts")).readBlocks;

/** `blocks_config.json` in the project's root: imported automatically once, and after that only on request. */
export class BlocksConfigFile {
  readonly #folder: string;
  readonly #root: SafeRoot;
  readonly #deps: BlocksConfigDeps;
  #snapshot: FileSnapshot | undefined;
  #refreshing: Promise<Advice> | undefined;

  constructor(folder: string, deps: BlocksConfigDeps) {
    this.#folder = folder;
    this.#root = SafeRoot.at(folder, { limits: { readBytes: maxBytes, writeBytes: maxBytes } });
    this.#deps = deps;
  }

  /** Imports the file if that was never done and the board is empty. Warns if the file and the board differ. */
  refresh(): Promise<Advice> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(): Promise<Advice> {
    try {
      const snapshot = await this.#takeSnapshot();
      return snapshot ? await this.#compare(snapshot) : noAdvice;
    } catch (error) {
      return { warnings: [describeIgnoredFile(error)], next: [] };
    }
  }

  /** A file that has not changed is not read again. */
  async #takeSnapshot(): Promise<FileSnapshot | undefined> {
    const entry = await this.#root.stat(blocksFileName);
    if (!entry) return undefined;
    const { bytes, modifiedAt } = entry;
    const before = this.#snapshot;
    if (before?.settled && before.bytes === bytes && before.modifiedAt === modifiedAt) return before;
    const settled = this.#deps.now() - modifiedAt > settledMs;
    this.#snapshot = { bytes, modifiedAt, settled, sha256: await this.#root.sha256(blocksFileName) };
    return this.#snapshot;
  }

  /** Asks the store each time: another process may have imported the file. */
  async #compare(snapshot: FileSnapshot): Promise<Advice> {
    const { store } = this.#deps;
    const { imported, hasBlocks } = await store.database.read(async (db) => {
      const known = await store.findImportedFile(db, blocksFileName);
      return { imported: known, hasBlocks: known !== undefined || (await store.hasBlocks(db)) };
    });
    if (imported?.sha256 === snapshot.sha256) return noAdvice;
    if (imported) return { warnings: [`${blocksFileName} was changed after it was imported.`], next: [importAgain] };
    if (hasBlocks)
      return {
        warnings: [`${blocksFileName} exists, but was never imported.`],
        next: [{ command: "block import", why: "to import it" }],
      };
    if (snapshot.problem !== undefined) return { warnings: [snapshot.problem], next: [] };
    try {
      return { warnings: await this.#importFirst(), next: [] };
    } catch (error) {
      snapshot.problem = describeIgnoredFile(error);
      throw error;
    }
  }

  async #importFirst(): Promise<string[]> {
    const { store, now } = this.#deps;
    const file = await this.#root.readText(blocksFileName);
    const blocks = (await loadReader())(file.text, blocksFileName);
    const outcome = await store.database.transaction(async (tx) => {
      // Another process may have been first.
      if (await store.findImportedFile(tx, blocksFileName)) return undefined;
      if (await store.hasBlocks(tx)) return undefined;
      return this.#importFile(tx, createImportActor(now()), file, blocks, "furthest");
    });
    return outcome?.warnings ?? [];
  }

  /** Throws if the file is not a valid file of blocks. */
  async import(by: Actor, { other, statuses = "furthest", dryRun = false }: ImportRequest): Promise<ImportOutcome> {
    const { store, importer, writer } = this.#deps;
    const own = other ? undefined : await this.#readOwn();
    const read = await loadReader();
    const blocks = other ? read(other.text, other.name) : read(own?.text ?? "", blocksFileName);
    if (dryRun) return this.#dryRun(by, blocks, statuses, own !== undefined);
    return store.database.transaction(async (tx) => {
      if (own) return this.#importFile(tx, by, own, blocks, statuses);
      const outcome = await importer.import(tx, by, blocks, { statuses, lastAt: undefined });
      await writer.commit(tx, by, []);
      return outcome;
    });
  }

  /** Imports, and rolls back: nothing else can tell what would change. */
  async #dryRun(by: Actor, blocks: ParsedBlocks, statuses: StatusSource, isOwn: boolean): Promise<ImportOutcome> {
    const { store, importer } = this.#deps;
    try {
      return await store.database.transaction(async (tx) => {
        const last = isOwn ? await store.findImportedFile(tx, blocksFileName) : undefined;
        throw new DryRunRollback(await importer.import(tx, by, blocks, { statuses, lastAt: last?.imported_at }));
      });
    } catch (thrown) {
      if (thrown instanceof DryRunRollback) return thrown.outcome;
      throw thrown;
    }
  }

  /** Writes the board to the file. A file that was changed and not imported since is only replaced with `overwrite`. */
  async export(by: Actor, overwrite: boolean): Promise<{ path: string; blocks: number; tasks: number }> {
    const { store, writer, now } = this.#deps;
    const { text, ...counts } = await store.database.read((db) => exportBoard(db, store));
    const entry = await this.#root.stat(blocksFileName);
    const current = entry && (await this.#root.sha256(blocksFileName));
    const imported = await store.database.read((db) => store.findImportedFile(db, blocksFileName));
    if (current !== undefined && current !== imported?.sha256 && !overwrite) throw unknownFileChanges(blocksFileName);
    const { sha256 } = await this.#root.write(
      blocksFileName,
      text,
      current === undefined ? { state: "absent" } : { sha256: current },
    );
    await store.database.transaction(async (tx) => {
      await store.saveImportedFile(tx, { path: blocksFileName, sha256, imported_at: now() });
      await writer.commit(tx, by, [`file:${blocksFileName}`]);
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
    const { store, importer, writer, now } = this.#deps;
    const last = await store.findImportedFile(tx, blocksFileName);
    const outcome = await importer.import(tx, by, blocks, { statuses, lastAt: last?.imported_at });
    await store.saveImportedFile(tx, { path: blocksFileName, sha256: file.sha256, imported_at: now() });
    await writer.commit(tx, by, [`file:${blocksFileName}`]);
    return outcome;
  }

  async #readOwn(): Promise<FileText> {
    try {
      return await this.#root.readText(blocksFileName);
    } catch (error) {
      const isMissing = error instanceof ForgeError && error.code === "NOT_FOUND";
      throw isMissing ? missingBlocksFile(join(this.#folder, blocksFileName), error) : error;
    }
  }
}

class DryRunRollback extends Error {
  readonly outcome: ImportOutcome;

  constructor(outcome: ImportOutcome) {
    super("dry run");
    this.outcome = outcome;
  }
}

/** The board works without the file; an import on request throws the same as an error. */
function describeIgnoredFile(error: unknown): string {
  if (!(error instanceof ForgeError) || error.code === "STORE_ERROR") throw error;
  return `${blocksFileName} was ignored: ${error.message}`;
}

/** Nobody requested the first import: the file was there. */
function createImportActor(now: number): Actor {
  const principal = localPrincipal("forge");
  const begun = { id: randomUUID(), at: now, kind: "command", name: "block import", effect: "add" } as const;
  return { principal, record: newRecord(principal, begun) };
}
