import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { UserTurns } from "./user-turns.ts";

/** Requests that end when they are told to, in the order in which they were begun. */
function openTurns(limits: ConstructorParameters<typeof UserTurns>[0]) {
  const turns = new UserTurns(limits);
  const begun: string[] = [];
  const endings: (() => void)[] = [];
  const run = (user: string, name: string, bytes = 0, kind?: "change" | "list") =>
    turns.run(user, { bytes, ...(kind && { kind }) }, async (hasWaited) => {
      begun.push(hasWaited ? `${name} later` : name);
      await new Promise<void>((resolve) => endings.push(resolve));
    });
  const endFirst = async () => {
    endings.shift()?.();
    for (let turn = 0; turn < 4; turn++) await nextTurn();
  };
  return { turns, begun, run, endFirst };
}

test("one user has so many requests under way, and the others of theirs wait; those of others do not", async () => {
  const { begun, run, endFirst } = openTurns({ requests: 2 });
  for (const name of ["a1", "a2", "a3", "a4"]) void run("a", name);
  void run("b", "b1");
  expect(begun).toEqual(["a1", "a2", "b1"]);
  await endFirst();
  await endFirst();
  expect(begun).toEqual(["a1", "a2", "b1", "a3 later", "a4 later"]);
});

test("bodies count by their length, and one that is alone may be as long as it is", async () => {
  const { begun, run, endFirst } = openTurns({ bytes: 10 });
  void run("a", "large", 11);
  void run("a", "small", 1);
  expect(begun).toEqual(["large"]);
  await endFirst();
  void run("a", "other", 9);
  void run("a", "more", 1);
  expect(begun).toEqual(["large", "small later", "other"]);
});

test("a change counts as several after one that took long", async () => {
  const { begun, run, endFirst } = openTurns({ requests: 8 });
  const now = vi.spyOn(performance, "now");
  onTestFinished(() => now.mockRestore());
  for (const name of ["a1", "a2", "a3"]) void run("a", name, 0, "change");
  void run("b", "b1");
  expect(begun).toEqual(["a1", "a2", "a3", "b1"]);
  const later = performance.now() + 5_000;
  now.mockImplementation(() => later);
  await endFirst();
  await endFirst();
  for (const name of ["a4", "a5", "a6"]) void run("a", name, 0, "change");
  await nextTurn();
  expect(begun).toEqual(["a1", "a2", "a3", "b1", "a4"]);
});

test("only so many of them are lists or searches", async () => {
  const { begun, run, endFirst } = openTurns({ lists: 1 });
  void run("a", "list", 0, "list");
  void run("a", "one ticket");
  void run("a", "change", 0, "change");
  void run("a", "later list", 0, "list");
  void run("b", "other's list", 0, "list");
  expect(begun).toEqual(["list", "one ticket", "change", "other's list"]);
  await endFirst();
  expect(begun).toEqual(["list", "one ticket", "change", "other's list", "later list later"]);
});

test("answers that nobody has read count, until they are read", async () => {
  const { turns, begun, run } = openTurns({ unread: 10 });
  const few = turns.hold("a", 9);
  void run("a", "a1");
  const many = turns.hold("a", 9);
  void run("a", "a2");
  void run("b", "b1");
  expect(begun).toEqual(["a1", "b1"]);
  many();
  for (let turn = 0; turn < 4; turn++) await nextTurn();
  expect(begun).toEqual(["a1", "b1", "a2 later"]);
  few();
});

test("who has too many waiting is told to come again", async () => {
  const { run } = openTurns({ requests: 1, waiting: 1 });
  void run("a", "a1");
  void run("a", "a2");
  await expect(run("a", "a3")).rejects.toMatchObject({ status: 429 });
});

test("what takes long is done one by one, so that others are heard in between", async () => {
  const turns = new UserTurns();
  const work = async () => {
    const until = performance.now() + 25;
    while (performance.now() < until);
  };
  let heard = 0;
  const hear = () => {
    heard++;
    timer = setImmediate(hear);
  };
  let timer = setImmediate(hear);
  await Promise.all(Array.from({ length: 6 }, () => turns.run("a", { bytes: 0 }, work)));
  clearImmediate(timer);
  expect(heard).toBeGreaterThanOrEqual(4);
});

test("connections of others are accepted before many long requests of one user are answered", async () => {
  let accepted = 0;
  const server = createServer(() => accepted++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const turns = new UserTurns();
  const acceptedBefore: number[] = [];
  const answerSlowly = async () => {
    acceptedBefore.push(accepted);
    const end = performance.now() + 25;
    while (performance.now() < end);
  };
  const sockets = Array.from({ length: 40 }, () => connect((server.address() as AddressInfo).port, "127.0.0.1"));
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  await Promise.all(Array.from({ length: 12 }, () => turns.run("a", { bytes: 0 }, answerSlowly)));
  expect(acceptedBefore).toHaveLength(12);
  expect(acceptedBefore.at(-1)).toBe(40);
});
