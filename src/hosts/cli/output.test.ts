import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { CapturedStream, run } from "../../../test/harness/cli/cli.ts";
import { withRoom } from "../../../test/harness/rooms/fixture-room.ts";
import type { RoomSet } from "../../app/room-set.ts";
import type { App } from "../../commons/cli/app.ts";
import { defineCommand, type Output } from "../../kernel/definitions/command.ts";

/** The program with a command that does this. */
function saying(say: (out: Output) => Promise<void> | void): Promise<RoomSet> {
  const command = defineCommand({
    name: "say",
    summary: "Say it",
    examples: [],
    settings: [],
    group: "more",
    async run(_app: App, _input, out) {
      await say(out);
      return 0;
    },
  });
  return withRoom({ commands: [command] });
}

/** Takes nothing: fails as a full disk or a closed pipe does. */
function brokenStream(code: string): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error(`write ${code}`), { code }));
    },
  });
}

const careless = "name\x1b[2J\x1b[31mred\u202e\nsecond line";

test("even a careless command cannot pass an escape sequence on to a pipe", async () => {
  const { out, err } = await run("say", {
    roomSet: await saying((output) => {
      output.print(careless);
      output.note(careless);
    }),
  });
  const expected = "name\\x1b[2J\\x1b[31mred\\u202e\nsecond line\n";
  expect({ out, err }).toEqual({ out: expected, err: expected });
});

test("on a terminal with colours only colours pass", async () => {
  const stdout = new CapturedStream({ isTTY: true });
  await run("say", { stdout, roomSet: await saying((output) => output.print(output.style.bold(careless))) });
  expect(stdout.text).toBe("\x1b[1mname\\x1b[2J\x1b[31mred\\u202e\nsecond line\x1b[22m\n");
});

test("a command that would never end ends when nobody reads it", async () => {
  let aborted = false;
  const roomSet = await saying((output) => {
    output.signal.addEventListener("abort", () => {
      aborted = true;
    });
    output.print("x");
    return new Promise<void>(() => {});
  });
  expect(await run("say", { stdout: brokenStream("EPIPE"), roomSet })).toMatchObject({ code: 0, err: "" });
  expect(aborted).toBe(true);
});

test("an output that cannot be written is an error", async () => {
  const roomSet = await saying((output) => output.print("x"));
  const { code, err } = await run("say", { stdout: brokenStream("ENOSPC"), roomSet });
  expect(code).toBe(2);
  expect(err).toContain("error: The output could not be written (ENOSPC).");
});

test("a broken stderr changes nothing", async () => {
  const roomSet = await saying((output) => {
    output.note("beside");
    output.print("data");
  });
  expect(await run("say", { stderr: brokenStream("EPIPE"), roomSet })).toMatchObject({ code: 0, out: "data\n" });
});

test("a command is told the width of a terminal, and of nothing else", async () => {
  const widths: (number | undefined)[] = [];
  const roomSet = await saying((output) => {
    widths.push(output.width);
    output.print("x");
  });
  await run("say", { roomSet, stdout: new CapturedStream({ isTTY: true, columns: 33 }) });
  await run("say", { roomSet, stdout: new CapturedStream({ isTTY: false, columns: 33 }) });
  expect(widths).toEqual([33, undefined]);
});
