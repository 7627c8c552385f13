import { expect, test } from "vitest";
import * as z from "zod";
import { definePrompt } from "../definitions/prompt.ts";
import { defineResource } from "../definitions/resource.ts";
import { defineTool, type Tool } from "../definitions/tool.ts";
import { ForgeError } from "../errors.ts";
import { Redactor } from "../text/redactor.ts";
import type { CallRecord } from "./call.ts";
import { type Caller, getPrompt, invoke, PendingQuestions, type Runtime, readResource } from "./invoke.ts";

type Services = { steps: string[] };

function setUp(options: { refuseToOpen?: boolean; refuseToClose?: boolean } = {}) {
  const steps: string[] = [];
  const records: CallRecord[] = [];
  const logged: string[] = [];
  const runtime: Runtime<Services> = {
    services: { steps },
    recorder: {
      async open(record) {
        steps.push("open");
        if (options.refuseToOpen) throw new ForgeError("STORE_ERROR", "The ledger cannot be written.");
        records.push({ ...record });
      },
      async close(record) {
        steps.push("close");
        if (options.refuseToClose) throw new Error("disk full");
        records.push({ ...record });
      },
    },
    redactor: new Redactor(),
    newId: () => `call-${records.length + 1}`,
    now: () => Date.now(),
    log: (level, message, fields) => void logged.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`),
  };
  return { runtime, steps, records, logged };
}

function caller(more: Partial<Caller> = {}): Caller {
  return {
    principal: { kind: "user", id: "u1", name: "Ann", agent: "claude", scopes: "all" },
    signal: new AbortController().signal,
    report: () => {},
    log: () => {},
    canAsk: () => false,
    ask: (questions) => Promise.reject(new PendingQuestions(questions)),
    ...more,
  };
}

function tool(more: Partial<Tool<Services>>): Tool<Services> {
  const base: Tool<Services> = {
    name: "try_it",
    title: "Try it",
    description: "Call it to try it.",
    effect: "read",
    input: z.object({ text: z.string().max(10) }),
    output: z.object({ said: z.string() }),
    run: async ({ steps }, input) => {
      steps.push("run");
      return { said: String(input["text"]) };
    },
  };
  return defineTool({ ...base, ...more });
}

test("a call gives structured data and the same as text, and leaves one entry", async () => {
  const { runtime, records, steps } = setUp();
  const outcome = await invoke(runtime, "tickets", tool({ about: () => ["ticket:T-1"] }), { text: "hi" }, caller());
  expect(outcome).toEqual({
    kind: "value",
    value: { structured: { said: "hi" }, text: '{"said":"hi"}', content: undefined },
  });
  expect(steps).toEqual(["run", "close"]);
  expect(records).toMatchObject([
    {
      name: "try_it",
      principal: "u1",
      agent: "claude",
      about: ["ticket:T-1"],
      outcome: "ok",
      effect: "read",
      code: undefined,
    },
  ]);
});

test("a specification's text replaces the JSON, and the data stays", async () => {
  const { runtime } = setUp();
  const outcome = await invoke(runtime, "t", tool({ text: () => "[1]" }), { text: "hi" }, caller());
  expect(outcome).toMatchObject({ value: { structured: { said: "hi" }, text: "[1]" } });
});

test("an unknown argument is named, with the expected ones, and nothing runs", async () => {
  const { runtime, records, steps } = setUp();
  const outcome = await invoke(runtime, "t", tool({}), { txt: "hi" }, caller());
  expect(outcome).toMatchObject({ kind: "error", body: { error: true, code: "VALIDATION_ERROR" } });
  const { body } = outcome as { body: { message: string } };
  expect(body.message).toContain('unknown argument "txt"');
  expect(body.message).toContain("Expected arguments: text.");
  expect(steps).toEqual(["close"]);
  expect(records).toMatchObject([{ outcome: "error", code: "VALIDATION_ERROR" }]);
});

test.each([
  ["a million elements", Array.from({ length: 1_000_000 }, () => 1)],
  ["a million keys", Object.fromEntries(Array.from({ length: 1_000_000 }, (_, index) => [`k${index}`, 1]))],
  ["two megabytes of text", "x".repeat(2_097_152)],
  ["deep nesting", JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`)],
])("A10 %s are refused in a few words", async (_name, text) => {
  const { runtime } = setUp();
  const outcome = await invoke(runtime, "t", tool({}), { text }, caller());
  expect(outcome).toMatchObject({ kind: "error", body: { code: "VALIDATION_ERROR" } });
  expect(JSON.stringify(outcome).length).toBeLessThan(1000);
});

test("a caller without the scope is refused before anything runs", async () => {
  const { runtime, steps } = setUp();
  const principal = { kind: "user", id: "u2", name: "Bob", scopes: ["tickets:read"] } as const;
  const refused = await invoke(runtime, "tickets", tool({ effect: "set" }), { text: "hi" }, caller({ principal }));
  expect(refused).toMatchObject({ body: { code: "PERMISSION_DENIED", details: { scope: "tickets:write" } } });
  expect(steps).toEqual(["close"]);
  const allowed = await invoke(runtime, "tickets", tool({}), { text: "hi" }, caller({ principal }));
  expect(allowed.kind).toBe("value");
});

test("a change outside the database is recorded before and after; without the record it is not made", async () => {
  const made = setUp();
  await invoke(made.runtime, "t", tool({ effect: "act" }), { text: "hi" }, caller());
  expect(made.steps).toEqual(["open", "run", "close"]);
  expect(made.records).toMatchObject([{ outcome: "open" }, { outcome: "ok" }]);
  const refused = setUp({ refuseToOpen: true });
  const outcome = await invoke(refused.runtime, "t", tool({ effect: "act" }), { text: "hi" }, caller());
  expect(outcome).toMatchObject({ kind: "error", body: { code: "STORE_ERROR" } });
  expect(refused.steps).toEqual(["open", "close"]);
});

test("an entry that cannot be closed does not spoil the answer", async () => {
  const { runtime, logged } = setUp({ refuseToClose: true });
  const outcome = await invoke(runtime, "t", tool({}), { text: "hi" }, caller());
  expect(outcome.kind).toBe("value");
  expect(logged.join()).toContain("the ledger entry could not be written");
});

test("G04 a stranger's error text stays inside; the log has it without its secrets, under the reference given out", async () => {
  const { runtime, logged } = setUp();
  const secret = `ghp_${"a".repeat(36)}`;
  const failing = tool({
    run: async () => {
      throw new Error(`cannot read /home/ann/x with ${secret}`);
    },
  });
  const outcome = await invoke(runtime, "t", failing, { text: "hi" }, caller());
  expect(outcome).toMatchObject({ body: { code: "INTERNAL_ERROR", details: { reference: "call-1" } } });
  expect(JSON.stringify(outcome)).not.toContain("/home/ann");
  expect(logged.join()).toContain("call-1");
  expect(logged.join()).toContain("/home/ann");
  expect(logged.join()).not.toContain(secret);
});

test("an output that does not fit its schema is our fault, not the caller's answer", async () => {
  const { runtime, logged } = setUp();
  const wrong = tool({ run: async () => ({ sad: 1 }) });
  expect(await invoke(runtime, "t", wrong, { text: "hi" }, caller())).toMatchObject({
    body: { code: "INTERNAL_ERROR" },
  });
  expect(logged.join()).toContain("does not allow");
});

test("secrets are taken out of results, errors, progress, questions and log messages to the client", async () => {
  const { runtime } = setUp();
  runtime.redactor.learn("correct horse battery");
  const said: unknown[] = [];
  const leaking = tool({
    run: async (_services, _input, call) => {
      call.log("info", "using correct horse battery");
      call.report({ progress: 1, message: "trying correct horse battery" });
      await call.ask({ sure: { ask: "person", message: "Is it correct horse battery?", schema: {} } });
      return { said: "it is correct horse battery" };
    },
  });
  const outcome = await invoke(
    runtime,
    "t",
    leaking,
    { text: "hi" },
    caller({
      log: (_level, message) => void said.push(message),
      report: (progress) => void said.push(progress),
      ask: async (questions) => ({ count: said.push(questions) }),
    }),
  );
  expect(said).toHaveLength(3);
  expect(JSON.stringify([outcome, said])).not.toContain("correct horse");
  const asked = await invoke(runtime, "t", leaking, { text: "hi" }, caller());
  expect(asked).toMatchObject({ kind: "asked", questions: { sure: { message: "Is it [redacted]?" } } });
  const failing = tool({
    run: async () => {
      throw new ForgeError("CONFIG_ERROR", "no entry with correct horse battery", {
        details: { tried: "correct horse battery" },
      });
    },
  });
  expect(JSON.stringify(await invoke(runtime, "t", failing, { text: "hi" }, caller()))).not.toContain("correct horse");
});

test("a deadline stops even work that ignores its signal, and says so", async () => {
  const { runtime, records } = setUp();
  const endless = tool({ deadlineMs: 20, run: () => new Promise(() => {}) });
  expect(await invoke(runtime, "t", endless, { text: "hi" }, caller())).toMatchObject({ body: { code: "TIMEOUT" } });
  expect(records).toMatchObject([{ outcome: "error", code: "TIMEOUT" }]);
});

test("cancelling aborts the work's signal and is recorded as cancelled", async () => {
  const { runtime, records } = setUp();
  const controller = new AbortController();
  let aborted = false;
  const waiting = tool({
    run: (_services, _input, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          reject(new Error("stopped"));
        });
        queueMicrotask(() => controller.abort());
      }),
  });
  const outcome = await invoke(runtime, "t", waiting, { text: "hi" }, caller({ signal: controller.signal }));
  expect(outcome).toMatchObject({ body: { code: "CANCELLED" } });
  expect(aborted).toBe(true);
  expect(records).toMatchObject([{ outcome: "cancelled", code: "CANCELLED" }]);
});

test("asking ends the call, is recorded as such, and goes on with the answer", async () => {
  const { runtime, steps, records } = setUp();
  const question = { ask: "person", message: "Sure?", schema: {} } as const;
  const asking = tool({
    effect: "act",
    run: async (_services, _input, call) => ({ said: JSON.stringify(await call.ask({ sure: question })) }),
  });
  expect(await invoke(runtime, "t", asking, { text: "hi" }, caller())).toEqual({
    kind: "asked",
    questions: { sure: question },
  });
  const answered = await invoke(runtime, "t", asking, { text: "hi" }, caller({ ask: async () => ({ sure: true }) }));
  expect(answered).toMatchObject({ value: { structured: { said: '{"sure":true}' } } });
  expect(steps).toEqual(["open", "close", "open", "close"]);
  expect(records.map(({ outcome }) => outcome)).toEqual(["open", "asked", "open", "ok"]);
});

test("C06 nothing given can reach a prototype", async () => {
  const { runtime } = setUp();
  for (const given of [
    '{"__proto__":{"polluted":1},"text":"hi"}',
    '{"constructor":{"prototype":{"polluted":1}},"text":"hi"}',
  ]) {
    await invoke(runtime, "t", tool({}), JSON.parse(given), caller());
  }
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test("text with half a character is refused, wherever it is", async () => {
  const { runtime } = setUp();
  const tool = defineTool({
    name: "echo",
    title: "Echo",
    description: "Echo.",
    effect: "read",
    input: z.object({ given: z.unknown() }),
    output: z.object({ given: z.unknown() }),
    run: async (_, { given }) => ({ given }),
  });
  for (const given of ["\ud800", "a\udc00b", { deep: [{ text: "\ud83d" }] }, { "\ud800": 1 }]) {
    const outcome = await invoke(runtime, "t", tool as Tool<Services>, { given }, caller());
    expect(outcome).toMatchObject({ kind: "error", body: { code: "VALIDATION_ERROR" } });
  }
  const fine = await invoke(runtime, "t", tool as Tool<Services>, { given: "👍" }, caller());
  expect(fine).toMatchObject({ kind: "value" });
});

test("prompts and resources run the same way", async () => {
  const { runtime, records } = setUp();
  const prompt = definePrompt({
    name: "greet",
    title: "Greet",
    description: "Greets.",
    args: z.object({ name: z.string().max(10) }),
    run: async (_services: Services, { name }) => [{ role: "user", content: { type: "text", text: name } }],
  });
  expect(await getPrompt(runtime, "t", prompt, { name: "Ann" }, caller())).toMatchObject({ kind: "value" });
  expect(await getPrompt(runtime, "t", prompt, { nme: "Ann" }, caller())).toMatchObject({
    body: { code: "VALIDATION_ERROR" },
  });
  const resource = defineResource<Services>({
    uri: "forge://x/{id}",
    name: "x",
    title: "X",
    description: "X.",
    mimeType: "text/plain",
    read: async (_services, { id }) => ({ text: `x ${id}` }),
  });
  expect(await readResource(runtime, "t", resource, { id: "7" }, caller())).toEqual({
    kind: "value",
    value: { text: "x 7" },
  });
  expect(records.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
    "prompt ok",
    "prompt error",
    "resource ok",
  ]);
});

test("what others wrote is handed out only once it is remembered who read it", async () => {
  const { runtime, steps } = setUp();
  const untrusted = tool({ untrusted: "others" });
  const forgetful = await invoke(runtime, "tickets", untrusted, { text: "x" }, caller());
  expect(forgetful).toMatchObject({ kind: "error", body: { code: "INTERNAL_ERROR" } });
  runtime.noteUntrusted = async ({ agent }) => void steps.push(`noted ${agent}`);
  expect(await invoke(runtime, "tickets", untrusted, { text: "x" }, caller())).toMatchObject({ kind: "value" });
  expect(steps.slice(-2)).toEqual(["noted claude", "close"]);
});
