import { expect } from "vitest";
import type { App } from "../../../src/commons/cli/app.ts";
import { defineCommand } from "../../../src/kernel/definitions/command.ts";
import { withRoom } from "../rooms/fixture-room.ts";
import { run } from "./cli.ts";

/** The program with a command that only fails. */
export function failing(thrown: unknown) {
  const fail = defineCommand({
    name: "fail",
    summary: "Fail",
    examples: [],
    settings: [],
    group: "more",
    async run(_app: App) {
      throw thrown;
    },
  });
  return withRoom({ commands: [fail] });
}

/** Has an option of every kind. */
const echo = defineCommand({
  name: "echo",
  summary: "Say what was given",
  examples: [],
  arguments: [{ name: "word", required: true, help: "What to say." }],
  options: {
    loud: { type: "boolean", short: "l", help: "Louder." },
    times: { type: "number", integer: true, min: 1, max: 9, default: 1, help: "How often." },
    ratio: { type: "number", help: "Any number." },
    mood: { type: "string", choices: ["calm", "angry"], help: "How." },
    tag: { type: "list", value: "TAG", help: "A tag." },
    near: { type: "string", value: "PLACE", optionalValue: true, help: "Where." },
  },
  settings: ["project"],
  group: "more",
  async run(_app: App, input, out) {
    const { loud, times, ratio, mood, tag, near } = input.options;
    out.print(JSON.stringify({ words: input.positionals, loud, times, ratio, mood, tag, near }));
    return 0;
  },
});

/** Has an option of the same name and another kind, which must not affect options before the command. */
const twin = defineCommand({
  name: "twin",
  summary: "Do nothing",
  examples: [],
  options: { tag: { type: "boolean", help: "Not a list here." } },
  settings: [],
  group: "more",
  async run(_app: App) {
    return 0;
  },
});

/** The program with `echo` and `twin`. */
export const withEcho = await withRoom({ commands: [echo, twin] });

/** What `echo` received, as it prints it. */
export async function echoed(line: string) {
  const { out, err, code } = await run(line, { roomSet: withEcho });
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out);
}
