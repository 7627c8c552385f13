import { writeSync } from "node:fs";
import { ForgeError } from "../../../src/kernel/errors.ts";
import { loadSqlite } from "../../../src/platform/db/sqlite/library.ts";
import { addCounter, countOf, openDemo } from "./store-demo.ts";

/** Uses a database under faulty conditions and prints the result: once, or with `fill` until the disk is full. */
const [file = "", mode] = process.argv.slice(2);
const db = openDemo({ file });
let kept = 0;
try {
  do {
    await addCounter(db, `${kept} ${"x".repeat(2_000)}`);
    kept++;
  } while (mode === "fill");
  writeSync(1, "no error\n");
} catch (error) {
  const told = error instanceof ForgeError ? `${error.code} ${error.message}` : `stranger ${error}`;
  writeSync(1, `${told}\n`);
}
if (mode === "fill") {
  let found = 0;
  while ((await countOf(db, `${found} ${"x".repeat(2_000)}`)) !== undefined) found++;
  const { DatabaseSync } = await loadSqlite();
  const handle = new DatabaseSync(file);
  const [integrity] = Object.values(Object(handle.prepare("pragma integrity_check").all()[0]));
  handle.close();
  writeSync(1, `${found === kept ? "kept all" : "lost some"} of ${kept}, integrity ${integrity}\n`);
}
await db.close().catch(() => undefined);
