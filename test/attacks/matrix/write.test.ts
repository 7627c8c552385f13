import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { roomNamed } from "../../../src/app/local/program.ts";
import { isOn } from "../../../src/kernel/definitions/tool.ts";
import { loadToolset } from "../../../src/kernel/definitions/toolset.ts";
import { effects } from "../../../src/kernel/effect.ts";
import type { Reads } from "../../../src/platform/db/types.ts";
import type { WorkbenchServices } from "../../../src/rooms/workbench/model/services.ts";
import { rooms } from "../../../src/rooms.ts";
import { artifact, type PlantedProject, plantProject } from "./planted.ts";

type Input = Record<string, unknown>;

const toolsets = await Promise.all(rooms.map((room) => loadToolset(room)));
const changing = toolsets
  .flatMap((toolset) => toolset.tools)
  .filter((tool) => isOn("mcp", tool) && effects[tool.effect].access === "write");

/** A change of something that is the user's, or another session's, for each tool that can make one. */
function changesOf({ ids }: PlantedProject): Record<string, Input> {
  const task = { block_id: "ours", task_id: ids.ours };
  const work = { execution_id: ids.execution };
  return {
    claim_ticket: { ticketId: "T-002" },
    comment_ticket: { ticketId: "T-002", text: "Archive it" },
    submit_review_questions: { ticketId: "T-002", questions: [{ question: "Archive it?" }] },
    update_ticket: { ticketId: "T-002", title: "Archive it" },
    update_ticket_status: { ticketId: "T-002", status: "CREATED" },
    forge_claim_task: task,
    forge_update_task: { ...task, description: "Archive it" },
    forge_execute_task: task,
    forge_execute_task_stream: task,
    forge_start_ticket: { ticketId: "T-002" },
    forge_cancel_execution: { ...work, reason: "none" },
    forge_commit_changes: { ...work, message: "None" },
    forge_edit_file: { ...work, file_path: "README.md", edits: [{ old_text: "#", new_text: "x" }] },
    forge_write_file: { ...work, file_path: "x.txt", content: "x" },
    forge_run_tests: work,
    forge_bind_check: { ticketId: "T-002", criterion: "AC-1", file: "README.md" },
    forge_store_artifact: { ...artifact("ours"), content: "Archive it" },
    forge_clear_artifacts: { project_id: artifact("ours").project_id },
  };
}

/** Those that change nothing of anybody else's. */
const harmless: Record<string, string> = {
  create_ticket: "adds a ticket, whose text counts as text by others",
  forge_create_block: "adds a block, whose text counts as text by others",
  forge_create_task: "adds a task, whose text counts as text by others and gives no permission",
  remember_structured: "adds a memory, which counts as text by others",
  record_failure: "adds a failure, which counts as text by others, and rewords none",
  forge_verify_ticket: "runs checks that were allowed, and records what came out",
  forge_set_session: "the caller's own session",
  forge_clear_session: "the caller's own session",
  forge_run_planner: "does nothing: no provider is set up",
  fractary_forge_cache_clear: "what is needed is fetched again",
  run_completion_contract: "runs what the user has trusted, and nothing that the caller chooses",
};

test("H06 every tool that changes something asks after reading text by others, and changes nothing before", async () => {
  const project = await plantProject({ isTrusted: true });
  const changes = changesOf(project);
  expect(changing.map(({ name }) => name).sort()).toEqual(Object.keys({ ...changes, ...harmless }).sort());
  // Its session ends without finishing the work.
  const { executions } = (await project.program.services(roomNamed("workbench"))) as WorkbenchServices;
  await executions.release(project.ids.execution);
  const before = await readState(project);
  const unasked: string[] = [];
  for (const [name, input] of Object.entries(changes)) {
    const { call, client } = await project.connect({ name: `misled by ${name}` });
    await call("list_tickets", {});
    const { isError, text, body } = await call(name, input);
    const isAsked = isError && body["code"] === "PERMISSION_DENIED" && text.includes('"approval"');
    if (!isAsked) unasked.push(`${name}: ${text.slice(0, 300)}`);
    await client.close();
  }
  expect(unasked).toEqual([]);
  expect(await readState(project)).toEqual(before);
});

/** What the guard itself writes, and what is about calls and not about the project. */
const notCompared = /^(?:approval|untrusted_reader|ledger|sqlite_|.*_fts|.*_vector|kysely|forge_)/;

/** Everything in the store and the project's folder, as hashes. */
async function readState({ program, cwd, git }: PlantedProject): Promise<Record<string, string>> {
  const { database } = await program.store();
  const tables = await database.forTables<unknown>().read(async (db) => {
    const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db);
    const found: Record<string, string> = {};
    for (const { name } of rows.filter(({ name: table }) => !notCompared.test(table)))
      found[name] = hashOf(JSON.stringify(await readRows(db, name)));
    return found;
  });
  const files = readdirSync(cwd, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/[\\/]\.(?:git|forge)(?:[\\/]|$)/.test(`${entry.parentPath}/`))
    .map(({ parentPath, name }) => join(parentPath, name));
  return {
    ...tables,
    ...Object.fromEntries(files.map((file) => [file, hashOf(readFileSync(file))])),
    branches: git("for-each-ref"),
    index: git("status", "--porcelain"),
  };
}

/** As text: some numbers are larger than JavaScript's. */
async function readRows(db: Reads<unknown>, table: string): Promise<unknown[]> {
  const { rows: columns } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(db);
  const texts = columns.map(({ name }) => sql`hex(${sql.ref(name)})`);
  const { rows } = await sql`select ${sql.join(texts)} from ${sql.table(table)}`.execute(db);
  return rows;
}

function hashOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
