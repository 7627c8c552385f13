import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Effort } from "../effort.ts";
import { measureRounds, type Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import { importer, makeTickets, ticketId, withTickets } from "../ticket-store.ts";
import type { Workshop } from "../workshop.ts";
import { elapsed } from "./cli.ts";

const few = 1_000;
const many = 100_000;

/** What comes next among many tickets, and what verifying costs over the bare command. */
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
  const overhead = compare(verified, {
    id: "verify",
    what: "`forge verify`: time of the checks on the head",
    of: "verify",
    against: "npm test",
    unit: "ms",
    pick: (ms) => ms,
    goal: { kind: "target", atMost: 1.1 },
  });
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
  return { rows: [next, overhead, show], samples };
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

/** A check that takes a second: what Forge adds is what is left over. */
async function measureVerify({ forge, env, folder }: Workshop, { commands, random }: Effort): Promise<Rounds<number>> {
  const cwd = join(folder, "verify");
  mkdirSync(join(cwd, "test"), { recursive: true });
  writeFileSync(join(cwd, ".gitignore"), ".forge/\n");
  writeFileSync(join(cwd, "package.json"), '{"type":"module","scripts":{"test":"node --test"}}\n');
  writeFileSync(
    join(cwd, "test", "slow.test.js"),
    'import test from "node:test";\ntest("slow", () => new Promise((done) => setTimeout(done, 3000)));\n',
  );
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { cwd, env, encoding: "utf8" });
  run("git", "init", "-q", "-b", "main");
  run("git", "-c", "user.name=A", "-c", "user.email=a@b.c", "add", "-A");
  run("git", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "Start");
  run(process.execPath, forge, "trust", "--yes");
  run(process.execPath, forge, "create", "Slow", "--criterion", "It is slow", "--status", "ready");
  run(process.execPath, forge, "check", "add", "T-001", "AC-1", "--test", "test/slow.test.js::slow");
  const subjects = [
    { name: "npm test", measure: () => elapsed(["--test", "test/slow.test.js"], cwd, env) },
    {
      name: "verify",
      measure: async () => {
        const { ms } = JSON.parse(run(process.execPath, forge, "verify", "T-001", "--json"));
        return Number(ms.head);
      },
    },
  ];
  return measureRounds(subjects, { count: Math.min(commands, 5), random }, ({ measure }) => measure());
}
