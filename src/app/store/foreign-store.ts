import { type Kysely, sql } from "kysely";

/**
 * Makes a store that others wrote safe to use: its tickets and tasks count as text by others, nothing in it was decided by the
 * user, and what it says was under way is not resumed.
 */
export async function markForeign(db: Kysely<unknown>): Promise<void> {
  for (const table of ["approval", "untrusted_reader", "guard_mark", "lease", "lease_waiter", "ledger_once"])
    await sql`delete from ${sql.table(table)}`.execute(db);
  await sql`update ticket set is_foreign = 1, sole_author = null`.execute(db);
  await sql`update execution set intent = null`.execute(db);
  await sql`update execution set status = 'cancelled', ended_at = started_at where status = 'running'`.execute(db);
  await sql`update task set status = 'pending' where status = 'in_progress'`.execute(db);
  await sql`insert into guard_mark (kind, subject, sha256, "by", at, seal)
    select 'foreign', 'task:' || replace(replace(block.id, '%', '%25'), '/', '%2F') || '/' || replace(replace(task.id, '%', '%25'), '/', '%2F'), '', '', 0, ''
    from task join block on block.seq = task.block`.execute(db);
}
