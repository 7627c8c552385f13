import { expect, test } from "vitest";
import * as z from "zod";
import type { CallRecord, Progress } from "../../../src/kernel/calls/call.ts";
import { type Caller, invoke, type Runtime } from "../../../src/kernel/calls/invoke.ts";
import { defineTool, type Tool } from "../../../src/kernel/definitions/tool.ts";
import { ForgeError } from "../../../src/kernel/errors.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";

const base = {
  ...{ name: "try_it", title: "Try it", description: "Call it to try it.", effect: "read" },
  ...{ input: z.object({}), output: z.object({}) },
} as const;

/** What happens in a call, in order, with a guard that takes its time. */
async function watch(
  tool: Partial<Tool<undefined>>,
  { isBroken = false, command }: { isBroken?: boolean; command?: string } = {},
) {
  const steps: string[] = [];
  const runtime: Runtime<undefined> = {
    services: undefined,
    recorder: { open: async () => undefined, close: async (_record: CallRecord) => undefined },
    redactor: new Redactor(),
    newId: () => "call-1",
    now: () => 0,
    log: () => undefined,
    async noteUntrusted(_principal, from) {
      await new Promise((resolve) => setImmediate(resolve));
      if (isBroken) throw new Error("disk full");
      if (!steps.includes(`noted ${from}`)) steps.push(`noted ${from}`);
    },
  };
  const caller: Caller = {
    principal: { kind: "local", id: "local:ada", name: "ada", agent: "claude", scopes: "all" },
    signal: new AbortController().signal,
    report: ({ message }: Progress) => void steps.push(`told ${message}`),
    log: (_level, message) => void steps.push(`told ${message}`),
    canAsk: () => false,
    ask: () => Promise.reject(new Error("nobody is asked")),
    ...(command !== undefined && { command }),
  };
  const defined: Tool<undefined> = defineTool({ ...base, run: async () => ({}), ...tool } as Tool<undefined>);
  const outcome = await invoke(runtime, "tickets", defined, {}, caller);
  return [...steps, outcome.kind === "error" ? outcome.body.code : outcome.kind];
}

const telling: Partial<Tool<undefined>> = {
  untrusted: "others",
  run: async (_services, _input, call) => {
    call.report({ progress: 1, message: "one" });
    call.log("info", "two");
    return {};
  },
};

test("H06 what is told while a call runs waits for the note of who reads it", async () => {
  expect(await watch(telling)).toEqual(["noted others", "told one", "told two", "value"]);
  // Where it cannot be noted, nothing is told.
  expect(await watch(telling, { isBroken: true })).toEqual(["INTERNAL_ERROR"]);
  expect(await watch(telling, { command: "forge try" })).toEqual(["told one", "told two", "value"]);
});

test("H06 an error that quotes others is noted, and not sent where that fails", async () => {
  const quoting: Partial<Tool<undefined>> = {
    run: () => Promise.reject(new ForgeError("NOT_FOUND", "Did you mean theirs?", { quotes: "others" })),
  };
  expect(await watch(quoting)).toEqual(["noted others", "NOT_FOUND"]);
  expect(await watch(quoting, { isBroken: true })).toEqual(["INTERNAL_ERROR"]);
  // What a command prints does not count as read.
  expect(await watch(quoting, { command: "forge try" })).toEqual(["NOT_FOUND"]);
});
