import { listCopies, maxCopies, quarantineOf } from "../../../../platform/db/sqlite/quarantine.ts";
import type { Check } from "../model.ts";

/** After the repair they are only a reminder, so this is a warning only once no more copies are kept. */
export const quarantine: Check = {
  id: "store-quarantine",
  title: "Copies of damaged stores",
  look({ project: { stateDir } }) {
    const copies = listCopies(stateDir);
    if (copies.length === 0) return undefined;
    const isFull = copies.length >= maxCopies;
    return {
      state: isFull ? "warning" : "ok",
      message: `${copies.join(", ")}${isFull ? `. That is the maximum of ${maxCopies}: no more copies are kept.` : ""}`,
      next: [`When you no longer need them, move them from ${quarantineOf(stateDir)} to another folder.`],
    };
  },
};
