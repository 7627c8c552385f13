import { localTime } from "../../../local-time.ts";
import { plain } from "../../../text.ts";

/** What is said of an answer that a server gave earlier, where it cannot be asked now. */
export function staleLine(since: string): string {
  return `As of ${plain(localTime(since))}: the server cannot be reached; this is the last known copy.`;
}
