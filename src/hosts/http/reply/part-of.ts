import type { HonoRequest } from "hono";
import type { Reply } from "./reply.ts";

/** Bytes as they were asked for: nothing if the caller has them already, one range, or all. */
export function partOf(reply: Reply, request: HonoRequest): Reply {
  const { bytes, headers } = reply;
  if (!bytes || reply.status !== 200) return reply;
  const { etag = "" } = headers;
  const known = (request.header("if-none-match") ?? "").split(",").map((tag) => tag.trim());
  if (known.includes(etag)) return { status: 304, headers: { etag }, text: undefined };
  const range = request.header("range");
  // A range of something that has changed since would not fit what the caller has.
  if (range === undefined || (request.header("if-range") ?? etag) !== etag) return reply;
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? [];
  // For several ranges, or one that there is nothing of, all of it is also a right answer.
  if (first === "" && last === "") return reply;
  const start = first === "" ? Math.max(0, bytes.length - Number(last)) : Number(first);
  const end = first === "" || last === "" ? bytes.length - 1 : Math.min(Number(last), bytes.length - 1);
  if (start > end) return reply;
  return {
    ...reply,
    status: 206,
    headers: { ...headers, "content-range": `bytes ${start}-${end}/${bytes.length}` },
    bytes: bytes.subarray(start, end + 1),
  };
}
