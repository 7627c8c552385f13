import { ForgeError } from "../../../kernel/errors.ts";

export type SqliteValue = null | number | bigint | string | Uint8Array;

export type SqliteStatement = {
  all(...parameters: SqliteValue[]): unknown[];
  run(...parameters: SqliteValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: SqliteValue[]): IterableIterator<unknown>;
  columns(): unknown[];
};

/** What `node:sqlite` and `@photostructure/sqlite` have in common, as far as it is used here. */
export type SqliteHandle = {
  prepare(sql: string): SqliteStatement;
  exec(sql: string): void;
  close(): void;
  enableDefensive?(active: boolean): void;
};

export type SqliteLibrary = { DatabaseSync: new (file: string, options?: { readOnly?: boolean }) => SqliteHandle };

/** Older versions can lose committed data when two processes write and checkpoint a WAL file at the same time. */
const minSafeVersion = [3, 51, 3] as const;

export function isSafeVersion(version: string): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, wanted] of minSafeVersion.entries()) {
    const given = parts[index] ?? 0;
    if (given !== wanted) return given > wanted;
  }
  return true;
}

export function assertSafeVersion(version: string): void {
  if (isSafeVersion(version)) return;
  throw new ForgeError(
    "STORE_ERROR",
    `SQLite ${version} is too old: versions before ${minSafeVersion.join(".")} can lose data when several processes share a file.`,
    {
      details: { found: version, needed: minSafeVersion.join(".") },
      next: ["Reinstall Forge to get the right version of SQLite, or use Node 24.15 or newer."],
    },
  );
}

/** Node's own SQLite where it is recent enough, else the one Forge brings. Loaded on first use only. */
export async function loadSqlite(): Promise<SqliteLibrary> {
  const { sqlite: own } = process.versions;
  if (own !== undefined && isSafeVersion(own)) {
    const library = quietly(() => process.getBuiltinModule("node:sqlite"));
    if (library && hasDatabase(library)) return library;
  }
  return loadPackaged();
}

function hasDatabase(module: object): module is SqliteLibrary {
  return "DatabaseSync" in module && typeof module.DatabaseSync === "function";
}

/** Node 22 calls its SQLite experimental, on stderr, at every start. The features used here are the settled ones. */
function quietly<T>(load: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function loadPackaged(): Promise<SqliteLibrary> {
  try {
    const { DatabaseSync } = await import("@photostructure/sqlite");
    return { DatabaseSync };
  } catch (error) {
    throw new ForgeError(
      "STORE_ERROR",
      `SQLite could not be loaded on this machine (${process.platform} ${process.arch}, Node ${process.versions.node}).`,
      {
        next: [
          "Reinstall Forge with its dependencies on this machine.",
          "Or use Node 24.15 or newer, which includes SQLite.",
        ],
        cause: error,
      },
    );
  }
}
