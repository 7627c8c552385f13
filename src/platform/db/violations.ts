const sqliteUnique = 2067;
const sqlitePrimaryKey = 1555;
const postgresUnique = "23505";

/** True where a row would have been the second of a kind there may be only one of, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  if ("errcode" in error) return error.errcode === sqliteUnique || error.errcode === sqlitePrimaryKey;
  // One SQLite driver leaves the number out where the statement returns rows.
  if (error.code === "ERR_SQLITE_ERROR") return error.message.startsWith("UNIQUE constraint failed");
  return error.code === postgresUnique;
}
