import { expect, test } from "vitest";
import { RequestQueue } from "./request-queue.ts";

const request = (id: number) => ({ jsonrpc: "2.0" as const, id, method: "tools/call" });

test("lets in by order of arrival, sends away by id, and is full by size", () => {
  const room = new RequestQueue();
  for (const id of [1, 2, 3]) room.add(request(id), 6 * 1_048_576);
  expect(room.isFull).toBe(true);
  expect(room.remove(2)).toBe(true);
  expect(room.remove(2)).toBe(false);
  expect(room.isFull).toBe(false);
  expect([room.next()?.id, room.next()?.id, room.next()]).toEqual([1, 3, undefined]);
  expect(room.isEmpty).toBe(true);
});
