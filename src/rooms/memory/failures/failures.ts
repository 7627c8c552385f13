import { createHash } from "node:crypto";
import type { CompletionRun } from "../../../commons/completion/completion-run.ts";
import type { Author } from "../../../commons/guard/index.ts";
import type { Ledger } from "../../../commons/ledger/index.ts";
import type { TestRun } from "../../../commons/test-runs/test-run.ts";
import type { Actor } from "../../../kernel/calls/call.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { Category, Failure, Severity } from "../bmad/museum.ts";
import { failureSubject } from "../recall/note-foreign.ts";
import { withoutNul } from "../recall/without-nul.ts";
import type { FailureTable, MemoryTables } from "../store/schema.ts";
import { failureNotFound } from "./errors.ts";

export type FiledFailure = Failure & {
  fingerprint: string;
  count: number;
  first_at: string;
  last_at: string;
  files: string[];
};

export type NewFailure = {
  category: Category;
  severity: Severity;
  agent: string;
  title: string;
  whatHappened?: string | undefined;
  rootCause?: string | undefined;
  lesson?: string | undefined;
  rule?: string | undefined;
  files: string[];
  /** What makes two failures the same one. */
  signature: string;
};

type FailureOptions = {
  database: Database<unknown>;
  ledger: Pick<Ledger, "commit">;
  project: string;
  now?: () => number;
};

const maxCompletionRuns = 200;
const maxSimilar = 5;

/** Failures that were filed, each once with how often it came back; and the completion contracts that were run. */
export class Failures {
  readonly #database: Database<MemoryTables>;
  readonly #ledger: Pick<Ledger, "commit">;
  readonly #project: string;
  readonly #now: () => number;

  constructor({ database, ledger, project, now = Date.now }: FailureOptions) {
    this.#database = database.forTables<MemoryTables>();
    this.#ledger = ledger;
    this.#project = database.engine === "sqlite" ? "" : project;
    this.#now = now;
  }

  /** `keepsKnown`: what is filed already stays as it is, and the rest is added. */
  async file(by: Author, failure: NewFailure, { keepsKnown = false } = {}): Promise<FiledFailure> {
    const fingerprint = fingerprintOf(failure);
    const at = this.#now();
    const { category, severity, agent, title, files, whatHappened, rootCause, lesson, rule } = failure;
    const given = { what_happened: whatHappened, root_cause: rootCause, lesson, rule, files };
    return this.#database.transaction(async (tx) => {
      const known = await tx
        .selectFrom("memory_failure")
        .selectAll()
        .where("project", "=", this.#project)
        .where("fingerprint", "=", fingerprint)
        .executeTakeFirst();
      const before = known && JSON.parse(known.document);
      const document = JSON.stringify(
        keepsKnown ? { ...withoutUndefined(given), ...before } : { ...before, ...withoutUndefined(given) },
      );
      const facts = { category, severity, agent: withoutNul(agent), title: withoutNul(title) };
      const row: FailureTable = {
        fingerprint,
        project: this.#project,
        ...(known && keepsKnown ? pickFacts(known) : facts),
        document,
        count: Number(known?.count ?? 0) + 1,
        first_at: Number(known?.first_at ?? at),
        last_at: at,
      };
      await tx
        .insertInto("memory_failure")
        .values(row)
        .onConflict((conflict) => conflict.columns(["project", "fingerprint"]).doUpdateSet(row))
        .execute();
      await by.stored?.(tx, failureSubject(fingerprint));
      await this.#ledger.commit(tx, by.record);
      return toFailure(row);
    });
  }

  async list(): Promise<FiledFailure[]> {
    const rows = await this.#database.read((db) =>
      db
        .selectFrom("memory_failure")
        .selectAll()
        .where("project", "=", this.#project)
        .orderBy("last_at", "desc")
        .limit(1_000)
        .execute(),
    );
    return rows.map(toFailure);
  }

  /** Those that have happened before with the same error, or in the same files. */
  async similar(signature: string, files: readonly string[]): Promise<FiledFailure[]> {
    const fingerprint = fingerprintOf({ signature });
    return (await this.list())
      .filter((failure) => failure.fingerprint === fingerprint || failure.files.some((file) => files.includes(file)))
      .slice(0, maxSimilar);
  }

  async saveRun(by: Actor, run: CompletionRun): Promise<void> {
    const at = this.#now();
    await this.#database.transaction(async (tx) => {
      const { id, status } = run;
      await tx
        .insertInto("completion_run")
        .values({ id, project: this.#project, at, status, document: JSON.stringify(run) })
        .execute();
      const oldest = await tx
        .selectFrom("completion_run")
        .select("at")
        .where("project", "=", this.#project)
        .orderBy("at", "desc")
        .offset(maxCompletionRuns)
        .limit(1)
        .executeTakeFirst();
      if (oldest)
        await tx
          .deleteFrom("completion_run")
          .where("project", "=", this.#project)
          .where("at", "<=", oldest.at)
          .execute();
      await this.#ledger.commit(tx, by.record);
    });
  }

  async completionRun(id: string): Promise<CompletionRun> {
    const row = await this.#database.read((db) =>
      db
        .selectFrom("completion_run")
        .select("document")
        .where("project", "=", this.#project)
        .where("id", "=", id)
        .executeTakeFirst(),
    );
    if (!row) throw failureNotFound(id);
    return JSON.parse(row.document);
  }
}

/** What of a failed contract stays the same when it fails again: the checks, and the errors without numbers and paths of this machine. */
export function signatureOfRun({ checks, output }: Pick<CompletionRun, "checks" | "output">): string {
  const failed = checks.filter(({ outcome }) => outcome === "failed").map(({ check }) => check);
  return [...failed, ...errorLines(output)].join("\n");
}

export function signatureOfTests({ failures }: Pick<TestRun, "failures">): string {
  return failures
    .map(({ name, file = "" }) => `${file} ${name}`)
    .sort()
    .join("\n");
}

export function filesIn(output: string): string[] {
  const found = output.matchAll(
    /(?:^|[\s("'])((?:[\w.@-]+\/)*[\w.@-]+\.(?:go|tsx?|jsx?|mjs|cjs|py|tf|ya?ml|sh|rs|java))(?=[\s:)"',(]|$)/gm,
  );
  return [...new Set([...found].map(([, file = ""]) => file))].slice(0, 20);
}

function errorLines(output: string): string[] {
  const lines = output.split("\n").filter((line) => /error|fail|assert|panic|expected|cannot|undefined/i.test(line));
  return [...new Set(lines.map(normalizeLine))].slice(0, 20);
}

function normalizeLine(line: string): string {
  return line
    .replaceAll(/0x[0-9a-f]+|\d+(?:\.\d+)?/gi, "N")
    .replaceAll(/\/(?:[\w.-]+\/)+/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function fingerprintOf({ signature }: Pick<NewFailure, "signature">): string {
  return createHash("sha256").update(signature).digest("hex").slice(0, 16);
}

function toFailure(row: FailureTable): FiledFailure {
  const { files = [], ...said } = JSON.parse(row.document);
  return {
    fingerprint: row.fingerprint,
    title: row.title,
    category: row.category as Category,
    severity: row.severity as Severity,
    agent: row.agent,
    date: new Date(Number(row.last_at)).toISOString().slice(0, 10),
    ...said,
    files,
    count: Number(row.count),
    first_at: new Date(Number(row.first_at)).toISOString(),
    last_at: new Date(Number(row.last_at)).toISOString(),
    source: `failure:${row.fingerprint}`,
  };
}

function pickFacts({ category, severity, agent, title }: FailureTable) {
  return { category, severity, agent, title };
}

function withoutUndefined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
