import { expect } from "vitest";
import type { App } from "../../src/commons/cli/app.ts";
import { type Command, defineCommand } from "../../src/kernel/command.ts";
import { run } from "./cli.ts";

/** Commands that only fail. */
export function failing(thrown: unknown): Command<App>[] {
  return [
    defineCommand({
      name: "fail",
      summary: "Fail",
      examples: [],
      settings: [],
      group: "more",
      async run(_app: App) {
        throw thrown;
      },
    }),
  ];
}

/** Has an option of every kind. */
export const echo = defineCommand({
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
    at: { type: "string", value: "PLACE", optionalValue: true, help: "Where." },
  },
  settings: ["project"],
  group: "more",
  async run(_app: App, input, out) {
    const { loud, times, ratio, mood, tag, at } = input.options;
    out.print(JSON.stringify({ words: input.positionals, loud, times, ratio, mood, tag, at }));
    return 0;
  },
});
/** Has an option of the same name and another kind, which must not confuse what stands before the command. */
export const twin = defineCommand({
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
export const commands: Command<App>[] = [echo, twin];

/** What `echo` was given, as it says it. */
export async function echoed(line: string) {
  const { out, err, code } = await run(line, { commands });
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out);
}
