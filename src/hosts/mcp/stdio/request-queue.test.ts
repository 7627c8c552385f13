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

test("takes the same time for each of hundreds of thousands", () => {
  const room = new RequestQueue();
  const many = 150_000;
  // Of this process alone: however busy the machine is, it is the same.
  const { user } = process.cpuUsage();
  for (let id = 0; id < many; id++) if (!room.has(id)) room.add(request(id), 40);
  for (let id = 1; id < many; id += 2) room.remove(id);
  // An id that was cancelled is free, and its request waits behind all others.
  room.add(request(1), 40);
  const served = [];
  for (let next = room.next(); next; next = room.next()) served.push(next.id);
  expect(process.cpuUsage().user - user).toBeLessThan(3_000_000);
  expect(served).toHaveLength(many / 2 + 1);
  expect([served[0], served[1], served.at(-1)]).toEqual([0, 2, 1]);
  expect([room.isEmpty, room.isFull]).toEqual([true, false]);
});
