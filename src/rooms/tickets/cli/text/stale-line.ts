import { localTime } from "../../../../commons/cli/local-time.ts";
import { plain } from "../../../../platform/terminal/text.ts";

type Stale = { stale?: string | undefined; incomplete?: boolean | undefined };

/** What is said of an answer that a server gave earlier, where it cannot be asked now; undefined of all others. */
export function staleLine({ stale, incomplete = false }: Stale, of: "list" | "ticket"): string | undefined {
  if (stale === undefined) return undefined;
  const line = `As of ${plain(localTime(stale))}: the server cannot be reached; this is the last known copy.`;
  return incomplete ? `${line} ${missing[of]}` : line;
}

const missing = {
  list: "It is put together from earlier answers, and tickets may be missing.",
  ticket: "Only what a list showed of it is known; its texts are missing here.",
};
