export { LocalAccess, type LocalAccessOptions } from "./access.ts";
export { accessMigrations } from "./schema.ts";
