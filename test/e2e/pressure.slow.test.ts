import { expect, test } from "vitest";
import { fixtureServer } from "../harness/mcp/fixture-bundle.ts";

const start = fixtureServer();

test("B07 a client that does not read is not read from; memory stays bounded, and it can resume", async () => {
  const program = start();
  await program.initialize();
  program.child.stdout?.pause();
  // All in one chunk, so that the first is not answered before the last has come.
  const ids = Array.from({ length: 1_000 }, () => program.ask("tools/call", { name: "big", arguments: {} }));
  await program.untilIdle();
  expect(program.peakMemoryMiB()).toBeLessThan(250);
  program.child.stdout?.resume();
  for (const id of ids) await program.reply(id);
  // Half of what was answered; what is yet to be collected is a good part of it.
  expect(program.peakMemoryMiB()).toBeLessThan(600);
});

test("A21 many lists at once are all answered, in order, in bounded memory", async () => {
  const program = start();
  await program.initialize();
  const ids = Array.from({ length: 5_000 }, () => program.ask("tools/list"));
  await program.reply(ids.at(-1) ?? 0);
  const answered = program.messages.map(({ id }) => id).filter((id) => ids.includes(id ?? ""));
  expect(answered).toEqual(ids);
  expect(program.peakMemoryMiB()).toBeLessThan(300);
});
