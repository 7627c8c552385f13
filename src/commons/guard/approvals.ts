import { randomBytes } from "node:crypto";
import type { Redactor } from "../../kernel/text/redactor.ts";
import type { Database } from "../../platform/db/database.ts";
import { notWaiting } from "./errors.ts";
import type { GuardedChange } from "./guarded-change.ts";
import { maxWaitingQuestion, showLine } from "./question.ts";
import type { GuardTables } from "./schema.ts";
import type { Seal } from "./seal.ts";

export type Approval = {
  id: string;
  caller: string;
  sha256: string;
  summary: string;
  touches: string[];
  askedAt: number;
  expiresAt: number;
};

type ApprovalRequest = { caller: string; sha256: string; action: GuardedChange };

/** A change as a person sees it and the database keeps it. */
type ShownChange = Pick<GuardTables["approval"], "summary" | "touches">;
type ExactChange = ShownChange & { sha256: string };
type AskedChange = ExactChange & { caller: string };

/** Allowed (once), denied, not decided yet, or not added because too many are waiting. */
export type Verdict = { verdict: "approved" | "denied" | "waiting"; id: string } | { verdict: "too many" };

type ApprovalsOptions = { database: Database<GuardTables>; redactor: Redactor; seal: Seal; now: () => number };

const lifetimeMs = 3_600_000;
const maxWaiting = 20;

/** Changes that wait for a person's approval. Each approval is for one exact change of one caller, once, within an hour. */
export class Approvals {
  readonly #database: Database<GuardTables>;
  readonly #redactor: Redactor;
  readonly #seal: Seal;
  readonly #now: () => number;

  constructor({ database, redactor, seal, now }: ApprovalsOptions) {
    this.#database = database;
    this.#redactor = redactor;
    this.#seal = seal;
    this.#now = now;
  }

  /** Uses up an approval of exactly this change, or asks for one. */
  async claim(wanted: ApprovalRequest): Promise<Verdict> {
    const stamp = await this.#seal.toCheck();
    const asked = { ...wanted, ...this.#describeChange(wanted.action) };
    return await this.#database.transaction(async (tx) => {
      const now = this.#now();
      await tx.deleteFrom("approval").where("expires_at", "<=", now).execute();
      const mine = await tx
        .selectFrom("approval")
        .select(["id", "caller", "sha256", "summary", "touches", "expires_at", "decision", "seal"])
        .where("caller", "=", wanted.caller)
        .where("used_at", "is", null)
        .where("expires_at", "<=", latestExpiry(now))
        .execute();
      const open = mine.filter((row) => isSame(row, asked));
      for (const row of open) {
        if (row.decision !== "approved" || !stamp.fits(signedFields(row), row.seal)) continue;
        await tx.updateTable("approval").set({ used_at: now }).where("id", "=", row.id).execute();
        return { verdict: "approved", id: row.id };
      }
      const denied = open.find(({ decision }) => decision === "denied");
      if (denied) return { verdict: "denied", id: denied.id };
      const waiting = open.find(({ decision }) => decision === null);
      if (waiting) return { verdict: "waiting", id: waiting.id };
      if (mine.filter(({ decision }) => decision === null).length >= maxWaiting) return { verdict: "too many" };
      const id = randomBytes(4).toString("hex");
      await tx
        .insertInto("approval")
        .values(newRow(id, asked, now))
        .execute();
      return { verdict: "waiting", id };
    });
  }

  /** Those that are not decided yet, the oldest first. */
  listWaiting(): Promise<Approval[]> {
    return this.#database.read(async (db) => {
      const now = this.#now();
      const rows = await db
        .selectFrom("approval")
        .select(["id", "caller", "sha256", "summary", "touches", "asked_at", "expires_at"])
        .where("decision", "is", null)
        .where("expires_at", ">", now)
        .where("expires_at", "<=", latestExpiry(now))
        .where("asked_at", "<=", latestExpiry(now))
        .orderBy("asked_at")
        .execute();
      return rows.filter(isText).map(({ touches, asked_at, expires_at, ...row }) => ({
        ...{ ...row, touches: parseTouches(touches) },
        ...{ askedAt: asked_at, expiresAt: expires_at },
      }));
    });
  }

  /** Secrets are taken out of each text by itself: in JSON, one could reach over the quotes and take a part of the list along. */
  #describeChange({ summary, touches }: GuardedChange): ShownChange {
    const clean = touches.map((touched) => this.#redactor.text(touched));
    return { summary: showLine(this.#redactor.text(summary), maxWaitingQuestion), touches: JSON.stringify(clean) };
  }

  /** A person's decision on what was shown to them: `sha256` must still be what they saw. */
  async decide(
    { id, sha256 }: Pick<Approval, "id" | "sha256">,
    decision: "approved" | "denied",
    by: string,
  ): Promise<void> {
    const stamp = decision === "approved" ? await this.#seal.toMark() : undefined;
    await this.#database.transaction(async (tx) => {
      const now = this.#now();
      const row = await tx
        .selectFrom("approval")
        .selectAll()
        .where("id", "=", id)
        .where("sha256", "=", sha256)
        .where("decision", "is", null)
        .where("expires_at", ">", now)
        .executeTakeFirst();
      if (!row) throw notWaiting(id);
      const seal = stamp?.mark(signedFields(row)) ?? null;
      await tx
        .updateTable("approval")
        .set({ decision, decided_by: by, decided_at: now, seal })
        .where("id", "=", id)
        .execute();
    });
  }
}

/**
 * No approval of ours lasts longer, another machine's clock included. One that came with the file may, and may hold a number
 * that cannot even be read.
 */
function latestExpiry(now: number): number {
  return now + 24 * lifetimeMs;
}

type SignedApproval = AskedChange & { id: string; expires_at: number };

/** With the text that the person was shown. */
function signedFields({ id, caller, sha256, summary, touches, expires_at }: SignedApproval) {
  return ["approved", id, caller, sha256, summary, touches, expires_at] as const;
}

/** The text counts too: a row that came with the file could show a person something else than it is for. */
function isSame(row: ExactChange, asked: ExactChange): boolean {
  return row.sha256 === asked.sha256 && row.summary === asked.summary && row.touches === asked.touches;
}

/** SQLite keeps bytes in a column of text; Forge puts none there. */
function isText({ id, caller, sha256, summary }: AskedChange & { id: string }): boolean {
  return [id, caller, sha256, summary].every((value) => typeof value === "string");
}

/** Unreadable text came with the file; no change is ever taken for that one, and a person can still deny it. */
function parseTouches(touches: string): string[] {
  try {
    const list: unknown = JSON.parse(touches);
    if (Array.isArray(list) && list.every((touched) => typeof touched === "string")) return list;
  } catch {
    // Told below.
  }
  return ["(unreadable)"];
}

function newRow(id: string, { caller, sha256, summary, touches }: AskedChange, now: number): GuardTables["approval"] {
  return {
    ...{ id, caller, sha256, summary, touches },
    ...{ asked_at: now, expires_at: now + lifetimeMs },
    ...{ decision: null, decided_by: null, decided_at: null, seal: null, used_at: null },
  };
}
