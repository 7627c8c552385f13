import { type Kysely, sql } from "kysely";
import { isRecord, tryParseRecord } from "../../kernel/json.ts";
import { artifactSubject } from "../../rooms/governance/model/artifact.ts";
import { projectsSubject } from "../../rooms/governance/model/project.ts";
import { failureSubject, memorySubject } from "../../rooms/memory/recall/note-foreign.ts";

/**
 * What the user decided, what is under way, and what Forge saw for itself: of another's store none of it counts. Its ledger would have
 * calls in the user's name, and send them to the user's team.
 */
const droppedTables = [
  ...["approval", "untrusted_reader", "guard_mark", "lease", "lease_waiter", "ledger_once", "governance_session"],
  ...["test_run", "completion_run", "governance_measurement", "ledger_about", "ledger_entry", "ledger_told"],
];

type TicketRow = { seq: number; document: string; records: string | null };

/**
 * Makes a store that others wrote safe to use: what it says counts as text by others, nothing in it was decided by the user or
 * proven here, and what it says was under way is not resumed.
 */
export async function markForeign(db: Kysely<unknown>): Promise<void> {
  for (const table of droppedTables) await sql`delete from ${sql.table(table)}`.execute(db);
  await sql`update ticket set is_foreign = 1, sole_author = null`.execute(db);
  await sql`update ticket set unproven = 1 where status = 'COMPLETE'`.execute(db);
  await dropProof(db);
  await sql`update execution set intent = null`.execute(db);
  await sql`update execution set status = 'cancelled', ended_at = started_at where status = 'running'`.execute(db);
  await sql`update task set status = 'pending' where status = 'in_progress'`.execute(db);
  await sql`insert into guard_mark (kind, subject, sha256, "by", at, seal)
    select 'foreign', 'task:' || replace(replace(block.id, '%', '%25'), '/', '%2F') || '/' || replace(replace(task.id, '%', '%25'), '/', '%2F'), '', '', 0, ''
    from task join block on block.seq = task.block`.execute(db);
  for (const subject of await listTexts(db))
    await sql`insert into guard_mark (kind, subject, sha256, "by", at, seal) values ('foreign', ${subject}, '', '', 0, '')
      on conflict do nothing`.execute(db);
}

/** Forge's own records of tickets: who wrote the store could write anything there, in the user's name too. */
async function dropProof(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<TicketRow>`select seq, document, records from ticket`.execute(db);
  for (const { seq, document, records } of rows) {
    const kept = keepComments(tryParseRecord(records ?? ""));
    const text = dropBase(document);
    if (kept !== records || text !== document)
      await sql`update ticket set records = ${kept}, document = ${text} where seq = ${seq}`.execute(db);
  }
}

function keepComments(records: Record<string, unknown> | undefined): string | null {
  const comments = Array.isArray(records?.["comments"]) ? records["comments"].filter(isRecord) : [];
  const renamed = comments.map((comment) => ({ ...comment, by: `another store (${String(comment["by"])})` }));
  return renamed.length === 0 ? null : JSON.stringify({ comments: renamed });
}

/** Where work started, and what the policy found when it ended. */
function dropBase(document: string): string {
  const parsed = tryParseRecord(document ?? "");
  if (!parsed) return document;
  const { executionBase, changeRecord, ...rest } = parsed;
  if (executionBase === undefined && changeRecord === undefined) return document;
  if (!isRecord(changeRecord)) return JSON.stringify(rest);
  const { proof: _, ...change } = changeRecord;
  return JSON.stringify({ ...rest, changeRecord: change });
}

/** The names under which the guard knows what else there is to read. */
async function listTexts(db: Kysely<unknown>): Promise<string[]> {
  const ids = async (table: string, column: string) =>
    (await sql<{ id: string }>`select ${sql.ref(column)} as id from ${sql.table(table)}`.execute(db)).rows;
  type Artifact = Parameters<typeof artifactSubject>[0];
  const artifactsIn = async (table: string) =>
    (await sql<Artifact>`select project_id, artifact_type, key from ${sql.table(table)}`.execute(db)).rows;
  return [
    ...(await ids("block", "id")).map(({ id }) => `block:${id}`),
    ...(await ids("execution", "id")).map(({ id }) => `execution:${id}`),
    ...(await ids("memory", "id")).map(({ id }) => memorySubject(id)),
    ...(await ids("memory_failure", "fingerprint")).map(({ id }) => failureSubject(id)),
    ...((await ids("governance_project", "id")).length > 0 ? [projectsSubject] : []),
    ...(await artifactsIn("governance_artifact")).map(artifactSubject),
    ...(await artifactsIn("governance_artifact_trash")).map(artifactSubject),
  ];
}
