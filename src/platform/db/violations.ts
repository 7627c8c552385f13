/** True where a row would have been the second of a kind there may be only one of, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("errcode" in error) return error.errcode === 2067 || error.errcode === 1555;
  return "code" in error && error.code === "23505";
}
