import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairTurns } from "./fair-turns.ts";

/** Works that end when they are told to, in the order in which they were begun. */
function openTurns(maxRunning: number) {
  const turns = new FairTurns(maxRunning);
  const begun: string[] = [];
  const endings: (() => void)[] = [];
  const run = (site: string, name: string) =>
    turns.run(site, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => endings.push(resolve));
      return name;
    });
  const endFirst = async () => {
    endings.shift()?.();
    await nextTurn();
  };
  return { run, begun, endFirst, turns };
}

test("sites take turns, however many works of one wait", async () => {
  const { run, begun, endFirst } = openTurns(2);
  for (const name of ["a1", "a2", "a3", "a4", "a5"]) void run("a", name);
  void run("b", "b1");
  void run("b", "b2");
  void run("c", "c1");
  expect(begun).toEqual(["a1", "a2"]);
  for (let ended = 0; ended < 6; ended++) await endFirst();
  expect(begun).toEqual(["a1", "a2", "a3", "b1", "c1", "a4", "b2", "a5"]);
});

test("a work that fails makes room too, and its caller is told", async () => {
  const { run, begun, turns } = openTurns(1);
  const failing = turns.run("a", () => Promise.reject(new Error("no")));
  void run("b", "b1");
  await expect(failing).rejects.toThrow("no");
  await nextTurn();
  expect(begun).toEqual(["b1"]);
});
