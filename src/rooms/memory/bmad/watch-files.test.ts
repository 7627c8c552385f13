import { expect, test } from "vitest";
import type { BmadFiles } from "./bmad-files.ts";
import { watchFiles } from "./watch-files.ts";

test("a look that fails ends neither the watch nor the program", async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on("unhandledRejection", note);
  const stop = watchFiles(
    () => Promise.reject(new Error("EMFILE")),
    {} as BmadFiles,
    () => undefined,
  );
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  stop();
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
