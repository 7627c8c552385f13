import { localTime } from "../../../../commons/cli/print/local-time.ts";
import { plain } from "../../../../platform/terminal/text.ts";

type Stale = { stale?: string | undefined; incomplete?: boolean | undefined };

/** A note on an old copy, shown while the server cannot be reached; undefined for current data. */
export function staleLine({ stale, incomplete = false }: Stale, of: "list" | "ticket"): string | undefined {
  if (stale === undefined) return undefined;
  const line = `The server cannot be reached. This is the last known copy, as of ${plain(localTime(stale))}.`;
  return incomplete ? `${line} ${missing[of]}` : line;
}

const missing = {
  list: "It was put together from earlier answers; tickets may be missing.",
  ticket: "Only a summary is known; its texts are missing here.",
};
