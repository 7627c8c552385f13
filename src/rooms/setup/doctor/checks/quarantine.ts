import { copiesIn, mostCopies, quarantineOf } from "../../../../platform/db/sqlite/quarantine.ts";
import type { Check } from "../model.ts";

/** Once the damage is mended they are only a reminder, so they are no warning until there is no room for another. */
export const quarantine: Check = {
  id: "store-quarantine",
  title: "Copies of damaged stores",
  look({ project: { stateDir } }) {
    const copies = copiesIn(stateDir);
    if (copies.length === 0) return undefined;
    const isFull = copies.length >= mostCopies;
    return {
      state: isFull ? "warning" : "ok",
      message: `${copies.join(", ")}${isFull ? `. These are ${mostCopies}, so no more are made.` : ""}`,
      mend: [`When you need them no longer here, move them from ${quarantineOf(stateDir)} to another folder.`],
    };
  },
};
