import { isDeeperThan, isRecord } from "../../kernel/json.ts";

/** Deeper than the deepest arguments that any tool takes; what reads messages by recursion is safe far beyond it. */
const maxDepth = 72;
/** Names and addresses that errors name again, and what every message about progress repeats. */
const maxLengths = Object.entries({ method: 256, name: 1_024, uri: 4_096, cursor: 4_096, progressToken: 256 });
const minLength = Math.min(...maxLengths.map(([, max]) => max));
const maxEchoed = 1_024;

/**
 * What is too deep or too long in a message of any method; undefined if nothing is. `length` is that of its text: nothing in a
 * short one can be, and most are short.
 */
export function findOversize(message: unknown, length: number): string | undefined {
  if (length > 2 * maxDepth && isDeeperThan(message, maxDepth))
    return `the message is nested deeper than ${maxDepth} levels`;
  if (length <= minLength || !isRecord(message)) return undefined;
  const { params } = message;
  if (!isRecord(params)) return findLong(message);
  return findLong(message) ?? findLong(params) ?? findLong(params["ref"]) ?? findLong(params["_meta"]);
}

function findLong(place: unknown): string | undefined {
  if (!isRecord(place)) return undefined;
  for (const [field, max] of maxLengths) {
    const value = place[field];
    if (typeof value === "string" && value.length > max) return `the ${field} is longer than ${max} characters`;
  }
  return undefined;
}

/** A protocol error with every text in it cut to what a reader needs: most of a long one is what was sent. */
export function shortenError<Message>(message: Message): Message {
  if (!isRecord(message) || !isRecord(message["error"])) return message;
  const { error } = message;
  const isLong = (text: unknown) => typeof text === "string" && text.length > maxEchoed;
  const data = isRecord(error["data"]) ? error["data"] : undefined;
  if (!isLong(error["message"]) && !(data && Object.values(data).some(isLong))) return message;
  return { ...message, error: shortenTexts(error) } as Message;
}

function shortenTexts(value: unknown): unknown {
  if (typeof value === "string") return value.length > maxEchoed ? `${value.slice(0, maxEchoed)}…` : value;
  if (Array.isArray(value)) return value.map(shortenTexts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortenTexts(item)]));
}
