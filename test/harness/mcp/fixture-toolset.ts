import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import type { Question } from "../../../src/kernel/calls/call.ts";
import { definePrompt } from "../../../src/kernel/definitions/prompt.ts";
import { defineResource } from "../../../src/kernel/definitions/resource.ts";
import { defineTool } from "../../../src/kernel/definitions/tool.ts";
import type { Toolset } from "../../../src/kernel/definitions/toolset.ts";
import { runFamily, runRude, runSleep } from "./fixture-children.ts";
import { faults } from "./fixture-faults.ts";

/** A number that can be read, changed and watched. */
export class Counter {
  value = 0;
  watchers = new Set<() => void>();
  /** Reports of calls that have been answered. */
  lateReports: (() => void)[] = [];
}

export type FixtureServices = { counter: Counter };

const text = z.string().max(2_000_000);
const said = z.object({ said: text });
const confirmation: Question = {
  ask: "person",
  message: "Really?",
  schema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
};

const watched = (uri: string, name: string) =>
  defineResource<FixtureServices>({
    uri,
    name,
    title: "Counter",
    description: "The counter, as it stands.",
    mimeType: "text/plain",
    read: async ({ counter }) => ({ text: String(counter.value) }),
    watch({ counter }, _uri, changed) {
      counter.watchers.add(changed);
      return () => counter.watchers.delete(changed);
    },
  });

const tools = [
  defineTool({
    name: "echo",
    title: "Echo",
    description: "Says what it was told.",
    effect: "read",
    input: z.object({ text }),
    output: said,
    run: async (_services, input) => ({ said: input.text }),
  }),
  defineTool({
    name: "collect",
    title: "Collect",
    description: "Takes arguments of every form.",
    effect: "read",
    input: z.object({
      items: z.array(z.string().max(20)).max(100).optional(),
      record: z.record(z.string().max(20), z.number()).optional(),
      nested: z.object({ deep: z.array(z.array(z.number()).max(10)).max(10).optional() }).optional(),
      name: z.string().max(100).optional(),
    }),
    output: said,
    run: async (_services, { items = [] }) => ({ said: items.join() }),
  }),
  defineTool({
    name: "big",
    title: "Big",
    description: "Answers with a megabyte.",
    effect: "read",
    input: z.object({ bytes: z.number().int().min(0).max(1_048_576).default(1_048_576) }),
    output: said,
    run: async (_services, { bytes }) => ({ said: "x".repeat(bytes) }),
    text: () => "big",
  }),
  defineTool({
    name: "progress",
    title: "Progress",
    description: "Reports progress as told, in a burst or with pauses, and once more when progress_late is called.",
    effect: "read",
    input: z.object({ steps: z.array(z.number()).max(1000), gapMs: z.number().max(200).default(0) }),
    output: said,
    async run({ counter }: FixtureServices, { steps, gapMs }, call) {
      for (const progress of steps) {
        call.report({ progress });
        if (gapMs > 0) await pause(gapMs);
      }
      counter.lateReports.push(() => call.report({ progress: 1e9 }));
      return { said: "done" };
    },
  }),
  defineTool({
    name: "progress_late",
    title: "Late progress",
    description: "Makes every call of progress that has been answered report once more, and says how many.",
    effect: "read",
    input: z.object({}),
    output: said,
    async run({ counter }: FixtureServices) {
      for (const report of counter.lateReports) report();
      return { said: String(counter.lateReports.length) };
    },
  }),
  defineTool({
    name: "confirm",
    title: "Confirm",
    description: "Asks the person, and says what came back.",
    effect: "read",
    input: z.object({ what: z.string().max(100).default("") }),
    output: said,
    async run(_services, _input, call) {
      return { said: JSON.stringify(await call.ask({ sure: confirmation })) };
    },
  }),
  defineTool({
    name: "confirm_twice",
    title: "Confirm twice",
    description: "Asks the person the same as confirm; another tool all the same.",
    effect: "read",
    input: z.object({ what: z.string().max(100).default("") }),
    output: said,
    async run(_services, _input, call) {
      return { said: JSON.stringify(await call.ask({ sure: confirmation })) };
    },
  }),
  defineTool({
    name: "confirm_if_possible",
    title: "Confirm if possible",
    description: "Asks only a client that can be asked.",
    effect: "read",
    input: z.object({}),
    output: said,
    async run(_services, _input, call) {
      if (!call.canAsk("person")) return { said: "not asked" };
      return { said: JSON.stringify(await call.ask({ sure: confirmation })) };
    },
  }),
  defineTool({
    name: "bump",
    title: "Bump",
    description: "Counts one up.",
    effect: "add",
    input: z.object({}),
    output: z.object({ value: z.number() }),
    async run({ counter }: FixtureServices) {
      counter.value++;
      for (const changed of counter.watchers) changed();
      return { value: counter.value };
    },
  }),
  defineTool({
    name: "hidden",
    title: "Hidden",
    description: "Callable, but in no list.",
    effect: "read",
    input: z.object({}),
    output: said,
    unlisted: true,
    run: async () => ({ said: "found" }),
  }),
];

export const fixtureToolset: Toolset<FixtureServices> = {
  name: "fixture",
  title: "Fixture",
  guidance: "These tools exist to be tested with.",
  tools: [...tools, ...faults, runFamily, runRude, runSleep],
  prompts: [
    definePrompt({
      name: "greet",
      title: "Greet",
      description: "A greeting.",
      args: z.object({ name: z.string().max(100) }),
      complete: { name: (_services, typed) => ["Ada", "Alan", "Grace"].filter((name) => name.startsWith(typed)) },
      run: async (_services, { name }) => [{ role: "user", content: { type: "text", text: `Hello ${name}` } }],
    }),
  ],
  resources: [watched("forge://counter", "counter"), watched("forge://counters/{id}", "counter-by-id")],
};
