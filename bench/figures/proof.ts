import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BenchClient } from "../client.ts";
import type { Effort } from "../effort.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Goal, type Row, type Unit } from "../row.ts";
import { importer, makeTickets, ticketId, withTickets } from "../ticket-store.ts";
import type { Workshop } from "../workshop.ts";
import { elapsed } from "./cli.ts";

const few = 1_000;
const many = 100_000;

/** What comes next among many tickets, what verifying costs over the bare command, and what work and proof add to a ticket. */
export async function measureProof(
  workshop: Workshop,
  effort: Effort,
): Promise<{ rows: Row[]; samples: Rounds<number> }> {
  const samples = await measureNext(workshop, effort);
  const next = compare(samples, {
    id: "next-ticket",
    what: "what to start next, 100,000 tickets",
    of: "many",
    against: "few",
    unit: "ms",
    pick: (ms) => ms,
    goal: { kind: "target", atMost: 1.5 },
  });
  const verified = await measureVerify(workshop, effort);
  const verifyRow = (id: string, what: string, pick: (times: VerifyTimes) => number, goal?: Goal) =>
    compare(verified, { id, what, of: "verify", against: "the bare command", unit: "ms", pick, ...(goal && { goal }) });
  const overhead = [
    verifyRow("verify", "`forge verify`: the checks on the head", ({ head }) => head, { kind: "target", atMost: 1.1 }),
    verifyRow("verify-command", "The complete command, without work trees and base", ({ total }) => total),
    verifyRow("verify-trees", "Its work trees", ({ trees, head }) => trees ?? head),
    verifyRow("verify-base", "Its run on the base", ({ base, head }) => base ?? head),
  ];
  const shown = await measureShow(workshop, effort);
  const show = compare(shown, {
    id: "show-executions",
    what: "`forge show`, a ticket with 100 executions",
    of: "100",
    against: "none",
    unit: "ms",
    pick: (ms) => ms,
    goal: { kind: "target", atMost: 1.5 },
  });
  const read = await measureContext(workshop, effort);
  const contextRow = (id: string, what: string, unit: Unit, pick: (answer: Answer) => number, goal?: Goal) =>
    compare(read, { id, what, of: "proven", against: "without proof", unit, pick, ...(goal && { goal }) });
  const context = [
    contextRow("context-bytes", "`get_ticket_context` of a proven ticket: its size", "bytes", ({ bytes }) => bytes, {
      kind: "target",
      atMost: 1.25,
    }),
    contextRow("context-time", "The same: its time", "ms", ({ ms }) => ms),
  ];
  return { rows: [next, ...overhead, show, ...context], samples };
}

type Answer = { bytes: number; ms: number };

/** Two tickets with the same text: one as it was written, one that was worked on and proven. */
async function measureContext({ forge, env, folder }: Workshop, { random }: Effort): Promise<Rounds<Answer>> {
  const cwd = await makeTickets(join(folder, "context"), 2);
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd, env, encoding: "utf8" });
  const call = (...args: string[]) => run(process.execPath, forge, ...args);
  writeFileSync(join(cwd, ".gitignore"), ".forge/\n");
  commitAll(run);
  for (const number of [1, 2, 3, 4, 5, 6])
    call("check", "add", ticketId(2), `AC-${number}`, "--file", `src/session/part-${(number - 1) % 5}.ts`);
  call("start", ticketId(2));
  mkdirSync(join(cwd, "src", "session"), { recursive: true });
  for (let part = 0; part < 5; part++) writeFileSync(join(cwd, "src", "session", `part-${part}.ts`), "export {};\n");
  call("run", "commit", "-m", "Sessions");
  call("verify", ticketId(2));
  const client = new BenchClient({ name: "forge", args: [forge, "mcp"], cwd, env });
  try {
    await client.greet();
    const subjects = [
      { name: "without proof", id: ticketId(1) },
      { name: "proven", id: ticketId(2) },
    ];
    const read = async ({ id }: { id: string }): Promise<Answer> => {
      const began = performance.now();
      const answer = await client.call("get_ticket_context", { ticketId: id });
      return { ms: performance.now() - began, bytes: Buffer.byteLength(JSON.stringify(answer)) };
    };
    for (const subject of subjects) await read(subject);
    return await measureRounds(subjects, { count: 50, random }, read);
  } finally {
    await client.end();
  }
}

function commitAll(run: (program: string, ...args: string[]) => string): void {
  run("git", "init", "-q", "-b", "main");
  run("git", "config", "user.name", "A");
  run("git", "config", "user.email", "a@b.c");
  run("git", "add", "-A");
  run("git", "commit", "-qm", "Start");
}

async function measureShow({ forge, env, folder }: Workshop, { commands, random }: Effort): Promise<Rounds<number>> {
  const subjects = [
    { name: "none", folder: await makeTickets(join(folder, "show-none"), 1) },
    { name: "100", folder: await makeTickets(join(folder, "show-100"), 1) },
  ];
  await withTickets(join(folder, "show-100"), async (tickets) => {
    for (let index = 0; index < 100; index++)
      await tickets.record(importer(), ticketId(1), { kind: "work", work: workRecord(index) });
  });
  return measureRounds(subjects, { count: commands, random }, (subject) =>
    elapsed([forge, "show", ticketId(1)], subject.folder, env),
  );
}

function workRecord(index: number) {
  return {
    execution: `exec_${String(index).padStart(12, "0")}`,
    status: "merged" as const,
    branch: `task-${index}`,
    base: "a".repeat(40),
    commit: "b".repeat(40),
    into: "main",
    files: Array.from({ length: 20 }, (_, file) => `src/session/part-${file}.ts`),
    tests: { run: `run_${index}`, status: "passed" as const, passed: 120, failed: 0 },
  };
}

async function measureNext({ folder }: Workshop, { commands, random }: Effort): Promise<Rounds<number>> {
  const subjects = [
    { name: "few", folder: await makeTickets(join(folder, "next-few"), few) },
    { name: "many", folder: await makeTickets(join(folder, "next-many"), many) },
  ];
  return measureRounds(subjects, { count: commands, random }, (subject) =>
    withTickets(subject.folder, async (tickets) => {
      await tickets.next(5);
      const began = performance.now();
      for (let round = 0; round < 50; round++) await tickets.next(5);
      return (performance.now() - began) / 50;
    }),
  );
}

/** `total`: from the start of the program to its end, without work trees and base. The bare command has no parts. */
type VerifyTimes = { head: number; total: number; trees?: number; base?: number };

/** A check that takes seconds: what Forge adds is what is left over. */
async function measureVerify(
  { forge, env, folder }: Workshop,
  { commands, random }: Effort,
): Promise<Rounds<VerifyTimes>> {
  const cwd = join(folder, "verify");
  mkdirSync(join(cwd, "test"), { recursive: true });
  writeFileSync(join(cwd, ".gitignore"), ".forge/\n");
  writeFileSync(join(cwd, "package.json"), '{"type":"module","scripts":{"test":"node --test"}}\n');
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd, env, encoding: "utf8" });
  commitAll(run);
  const call = (...args: string[]) => run(process.execPath, forge, ...args);
  call("trust", "--yes");
  call("create", "Slow", "--criterion", "It is slow", "--status", "ready");
  call("check", "add", "T-001", "AC-1", "--test", "test/slow.test.js::slow");
  call("start", "T-001");
  writeFileSync(
    join(cwd, "test", "slow.test.js"),
    'import test from "node:test";\ntest("slow", () => new Promise((done) => setTimeout(done, 3000)));\n',
  );
  run("git", "add", "-A");
  run("git", "commit", "-qm", "A slow test");
  let change = 0;
  const subjects = [
    {
      name: "the bare command",
      async measure(): Promise<VerifyTimes> {
        const ms = await elapsed(["--test", "test/slow.test.js"], cwd, env);
        return { head: ms, total: ms };
      },
    },
    {
      name: "verify",
      async measure(): Promise<VerifyTimes> {
        // Another test file each time, so that what the base showed is not known yet.
        appendFileSync(join(cwd, "test", "slow.test.js"), `// ${++change}\n`);
        run("git", "commit", "-qam", `Change ${change}`);
        const began = performance.now();
        const { stdout } = spawnSync(process.execPath, [forge, "verify", "T-001", "--json"], { cwd, env });
        const { ms } = JSON.parse(stdout.toString());
        const total = performance.now() - began - ms.tree - ms.base;
        return { head: ms.head, total, trees: ms.tree, base: ms.base };
      },
    },
  ];
  return measureRounds(subjects, { count: Math.min(commands, 5), random }, ({ measure }) => measure());
}
