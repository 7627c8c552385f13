import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { TestRequest, TestRun } from "../../../../src/commons/test-runs/test-run.ts";
import { TrustEditor } from "../../../../src/commons/trust/trust-editor.ts";
import type { CallRecord, LogLevel, Progress } from "../../../../src/kernel/calls/call.ts";
import { type Caller, invoke, type Runtime, readResource } from "../../../../src/kernel/calls/invoke.ts";
import { matchUri } from "../../../../src/kernel/definitions/resource.ts";
import type { Tool } from "../../../../src/kernel/definitions/tool.ts";
import type { ErrorBody } from "../../../../src/kernel/errors.ts";
import { localPrincipal, type Principal } from "../../../../src/kernel/principal.ts";
import type { Place } from "../../../../src/platform/db/types.ts";
import { TicketWork } from "../../../../src/rooms/workbench/executions/tickets/ticket-work.ts";
import type { WorkbenchServices } from "../../../../src/rooms/workbench/model/services.ts";
import type { TaskDraft } from "../../../../src/rooms/workbench/model/task-model.ts";
import { resources } from "../../../../src/rooms/workbench/resources/resources.ts";
import { operate } from "../../commons/operate.ts";
import { makeSandbox, type Sandbox, writeFiles } from "../../git/git.ts";
import { openParts } from "./workbench-parts.ts";

type RoomServices = Pick<
  WorkbenchServices,
  "executions" | "ticketWork" | "board" | "guard" | "tests" | "knownFailures" | "git" | "redactor"
>;
type RunTests = (request: TestRequest) => Promise<TestRun>;

export const ada = localPrincipal("ada", "assistant", "connection-1");
export const bob = localPrincipal("ada", "assistant", "connection-2");

export type Room = ReturnType<typeof openRoom>;

/** A project whose tests all fail, with messages and stack traces as long as real ones. */
export function brokenProject(tests: number): Record<string, string> {
  const each = Array.from(
    { length: tests },
    (_, index) =>
      `test("does thing ${index} of many", () => { throw new Error("broken ${index}: " + "expected something else ".repeat(40)); });`,
  );
  return {
    "package.json": '{"type": "module", "scripts": {"test": "node --test"}}\n',
    "broken.test.js": `import { test } from "node:test";\n${each.join("\n")}\n`,
  };
}

type RoomOptions = {
  files?: Record<string, string>;
  /** Another server on an existing repository. */
  beside?: { sandbox: Sandbox; project: string };
  place?: Place;
  runTests?: RunTests;
  mergeWaitMs?: number;
  now?: () => number;
};

/** Executions on a real repository and store, called as hosts call them; removed after the test. */
export function openRoom({
  files = { "a.txt": "one\n" },
  beside,
  place,
  runTests,
  mergeWaitMs,
  now,
}: RoomOptions = {}) {
  const sandbox = beside?.sandbox ?? makeSandbox();
  const project = beside?.project ?? sandbox.repository("project", files);
  const parts = openParts({
    project,
    home: join(sandbox.root, "home"),
    environment: sandbox.environment,
    place,
    now,
    mergeWaitMs,
    runTests,
  });
  const { database, ledger, leases, board, guard, executions, tests, git, records, redactor } = parts;
  const ticketWork = new TicketWork(board, guard, async () => undefined);
  const knownFailures = async () => [];
  const services: RoomServices = { executions, ticketWork, board, guard, tests, knownFailures, git, redactor };
  const logged: [LogLevel, string][] = [];
  const reports: Progress[] = [];
  const runtime: Runtime<RoomServices> = {
    services,
    recorder: ledger,
    // The project is one that the user trusts.
    noteUntrusted: async (principal, from) => (from === "others" ? parts.readers.noteUntrusted(principal) : undefined),
    redactor,
    newId: randomUUID,
    now: () => Date.now(),
    log: (level, message, fields) => {
      if (level === "error") logged.push([level, `${message} ${JSON.stringify(fields)}`]);
    },
  };
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await parts.close();
  };
  onTestFinished(async () => {
    await close();
    if (!beside) sandbox.dispose();
  });

  const callerOf = (principal: Principal, signal = new AbortController().signal): Caller => ({
    principal,
    signal,
    report: (progress) => void reports.push(progress),
    log: (level, message) => void logged.push([level, message]),
    canAsk: () => false,
    ask: async () => ({}),
  });

  const call = async (tool: Tool<RoomServices>, input: unknown, principal = ada, signal?: AbortSignal) =>
    invoke(runtime, "workbench", tool, input, callerOf(principal, signal));

  return {
    sandbox,
    project,
    executions,
    board,
    ledger,
    leases,
    database,
    logged,
    reports,
    runtime,
    /** What the user decides. */
    approvals: parts.readers.approvals,
    readers: parts.readers,
    close,
    git: (...args: string[]) => sandbox.git(project, ...args).trimEnd(),
    gitIn: (folder: string, ...args: string[]) => sandbox.git(folder, ...args).trimEnd(),
    put: (written: Record<string, string>, folder = project) => writeFiles(folder, written),
    hook(name: string, script: string): void {
      writeFiles(project, { [`.git/hooks/${name}`]: `#!/bin/sh\n${script}\n` });
      chmodSync(join(project, ".git", "hooks", name), 0o755);
    },
    link: (to: string, name: string) => symlinkSync(to, join(project, name)),
    remove: (name: string) => rmSync(join(project, name)),
    has: (name: string, folder = project) => existsSync(join(folder, name)),
    text: (name: string, folder = project) => readFileSync(join(folder, name), "utf8"),
    /** The structured answer; throws the error's body. */
    async ok<T = Record<string, unknown>>(tool: Tool<RoomServices>, input: unknown, principal = ada): Promise<T> {
      const outcome = await call(tool, input, principal);
      if (outcome.kind === "value") return outcome.value.structured as T;
      throw new Error(`${tool.name} failed: ${JSON.stringify(outcome)} ${JSON.stringify(logged)}`);
    },
    async refused(tool: Tool<RoomServices>, input: unknown, principal = ada): Promise<ErrorBody> {
      const outcome = await call(tool, input, principal);
      if (outcome.kind === "error") return outcome.body;
      throw new Error(`${tool.name} did not fail: ${JSON.stringify(outcome)}`);
    },
    call,
    async task(draft: Partial<TaskDraft> & { block?: string } = {}, principal = ada) {
      const { block = "Auth", name = "Add user authentication", ...rest } = draft;
      const operation = {
        name: "test",
        effect: "add",
        toolset: "workbench",
        about: [] as string[],
        async run(_services: RoomServices, by: { principal: Principal; record: CallRecord }) {
          const known = await board.blocks({ text: block });
          const found =
            known.blocks.find((one) => one.name === block) ?? (await board.createBlock(fresh(by), { name: block }));
          return board.createTask(fresh(by), found.id, { name, ...rest });
        },
      } as const;
      const outcome = await operate(runtime, operation, callerOf(principal));
      if (outcome.kind !== "value") throw new Error(JSON.stringify(outcome));
      return outcome.value;
    },
    async read(uri: string): Promise<Record<string, unknown>> {
      const { resource, variables } = resourceAt(uri);
      const outcome = await readResource(runtime, "workbench", resource, variables, callerOf(ada));
      if (outcome.kind !== "value" || !("text" in outcome.value)) throw new Error(JSON.stringify(outcome));
      return JSON.parse(outcome.value.text);
    },
    watch(uri: string, changed: () => void): void {
      const stop = resourceAt(uri).resource.watch?.(services, uri, changed);
      if (stop) onTestFinished(stop);
    },
    /** As a person at the terminal does it. */
    async trustAll(): Promise<void> {
      const desk = new TrustEditor({ git, records });
      const state = await desk.state(project, new AbortController().signal);
      await desk.grant(state, "ada");
    },
  };
}

/** Each change has an entry of its own. */
function fresh({ principal, record }: { principal: Principal; record: CallRecord }) {
  return { principal, record: { ...record, id: randomUUID(), committed: false } };
}

function resourceAt(uri: string) {
  for (const resource of resources) {
    const variables = matchUri(resource.uri, uri);
    if (variables) return { resource, variables };
  }
  throw new Error(`there is no resource at ${uri}`);
}
