import { createRequire } from "node:module";

export function integrityFaults(file: string): string[] {
  const { DatabaseSync } = createRequire(import.meta.url)(
    "@photostructure/sqlite",
  ) as typeof import("@photostructure/sqlite");
  const handle = new DatabaseSync(file);
  try {
    const said = JSON.stringify(handle.prepare("pragma integrity_check").all());
    return said.includes('"ok"') ? [] : [`SQLite finds damage: ${said}`];
  } finally {
    handle.close();
  }
}
