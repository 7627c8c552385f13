import type { Tool } from "../../../src/kernel/definitions/tool.ts";
import { effects } from "../../../src/kernel/effect.ts";
import { inRepository, type PlantedProject, theirs } from "./planted.ts";

type Input = Record<string, unknown>;

const tickets = ["T-001", "T-002", "T-003", "T-004", "T-005", "T-006", "T-007", "T-999"];
const artifactKeys = [theirs, inRepository, theirs.slice(0, -1)];

/** Values for the arguments that tools require, by name: those that exist, and some that do not. */
function valuesFor(ids: PlantedProject["ids"]): Record<string, readonly unknown[]> {
  return {
    ticketId: tickets,
    task_id: [ids.task, ids.waiting, `${ids.task}x`],
    block_id: ["ours", theirs, theirs.slice(0, -1)],
    execution_id: [ids.execution, ids.started, "exec_0000000000000000"],
    artifact_type: ["phase"],
    project_id: ["shop"],
    contract_type: ["manifesto"],
    build_id: [ids.build],
    key: artifactKeys,
    name: [theirs, inRepository, theirs.slice(0, -1), inRepository.slice(0, -1)],
    plugin: [theirs, theirs.slice(0, -1)],
    query: [theirs, inRepository],
    agent: ["dev", "nobody"],
    file_path: ["README.md", `src/${inRepository}.ts`, `.fractary/plugins/${theirs}/plugin.json`, "src/zzrep.ts"],
    session_id: ["none"],
  };
}

/** What tools are called with beside, or where one value for each argument says too little. */
function ownInputs(ids: PlantedProject["ids"]): Record<string, readonly Input[]> {
  const task = { block_id: "ours", task_id: ids.task };
  const waiting = { block_id: "ours", task_id: ids.waiting };
  const text = { title: "Ours, too" };
  return {
    list_tickets: [{ text: theirs }, { label: theirs }],
    get_repository_context: [{ path: "." }, { path: "../elsewhere" }],
    update_ticket: tickets.flatMap((ticketId) => [
      { ticketId, ...text, expectedRevision: 99 },
      { ticketId, labels: ["x"] },
    ]),
    update_ticket_status: tickets.flatMap((ticketId) =>
      ["CREATED", "COMPLETE"].map((status) => ({ ticketId, status })),
    ),
    create_ticket: [text, { ...text, dependsOn: ["T-001"] }, { ...text, dependsOn: ["T-999"] }],
    claim_ticket: [...tickets, "T-009"].map((ticketId) => ({ ticketId })),
    comment_ticket: tickets.map((ticketId) => ({ ticketId, text: "Seen" })),
    submit_review_questions: tickets.map((ticketId) => ({ ticketId, questions: [{ question: "Ready?" }] })),
    forge_get_blocks: [
      { include_tasks: true, include_connections: true },
      { filter: { search_term: theirs } },
      { cursor: "wrong" },
    ],
    forge_get_tasks: [
      { include_dependencies: true },
      { block_id: "Imported" },
      { block_id: "our" },
      { text: "Second", include_dependencies: true },
    ],
    forge_get_task_details: [
      { ...task, include_context: true },
      { ...waiting, include_context: true },
      { block_id: "tickets", task_id: "T-001", include_context: true },
    ],
    forge_claim_task: [task, waiting, { ...waiting, release: true }, { block_id: "our", task_id: ids.task }],
    forge_create_block: [{ name: "Ours" }, { name: "Other", block_id: theirs }],
    forge_create_task: [
      { block_id: "ours", task_name: "New", description: "x", dependencies: [ids.task] },
      { block_id: "ours", task_name: "New", description: "x", dependencies: ["none"] },
      { block_id: "our", task_name: "New", description: "x" },
      { block_id: "ours", task_name: "New", description: "x", ticket_id: "T-999" },
    ],
    forge_update_task: [task, waiting].flatMap((one) => [
      { ...one, status: "completed" },
      { ...one, estimated_effort: "1h" },
    ]),
    forge_execute_task: [
      task,
      { block_id: "imported", task_id: "t2" },
      waiting,
      { block_id: "tickets", task_id: "T-001" },
      { block_id: "tickets", task_id: "T-004" },
    ],
    forge_execute_task_stream: [task, waiting, { block_id: "tickets", task_id: "T-001" }],
    forge_get_execution: [{ execution_id: ids.execution, full: true }],
    forge_watch_execution: [{ execution_id: ids.execution, wait_seconds: 0 }],
    forge_run_tests: [{}, { execution_id: ids.execution }],
    forge_read_file: [{ file_path: "README.md", include_context: true, execution_id: ids.execution }],
    forge_list_files: [{ path: "src" }, { path: "sr" }, { path: ".fractary/plugins", include_ignored: true }],
    forge_write_file: [
      { file_path: "x.txt", content: "x", execution_id: ids.execution },
      { file_path: "x.txt", content: "x", execution_id: ids.started },
    ],
    forge_edit_file: [
      { file_path: "README.md", edits: [{ old_text: "none", new_text: "x" }], execution_id: ids.execution },
    ],
    forge_commit_changes: [{ message: "Work", execution_id: ids.execution }],
    forge_cancel_execution: [{ execution_id: ids.execution, reason: "none" }],
    forge_bind_check: [
      { ticketId: "T-001", criterion: "AC-9", file: "x.txt" },
      { ticketId: "T-001", criterion: "AC-1", invariant: inRepository.slice(0, -1) },
      { ticketId: "T-001", criterion: "AC-1", file: "x.txt" },
    ],
    forge_verify_ticket: [{ ticketId: "T-001", base: "none" }, { ticketId: "T-001" }],
    forge_check_governance: [{}, { since: "none" }],
    forge_list_artifacts: [{ project_id: "shop" }],
    forge_get_contract: [{ name: "manifesto" }, { name: "stack" }, { name: "manifest" }],
    forge_store_artifact: [{ project_id: "shop", artifact_type: "phase", key: theirs, content: "x" }],
    forge_run_planner: [{ project_request: "x" }],
    forge_set_session: [{ project_id: "shop" }, { project_id: "shops" }],
    fractary_forge_agent_info: [theirs, inRepository].map((name) => ({ name, showPrompt: true })),
    fractary_forge_agent_validate: [{ path: ".fractary/agents/broken.yaml" }, {}],
    fractary_forge_tool_validate: [{ path: ".fractary/tools/broken.yaml" }, {}],
    fractary_forge_config_get: [{ key: "notice" }, { key: "notices" }],
    fractary_forge_config_show: [{}],
    fractary_forge_plugin_list: [{}],
    fractary_forge_plugin_search: [{ query: theirs }],
    get_workflow_status: [
      { run_id: "dev-20260201-100000" },
      { branch: inRepository },
      { branch: "none" },
      { run_id: "none" },
    ],
    get_agent_memory: [{ agent: "dev" }, { agent: "none" }],
    record_failure: [{ title: `Forgot ${theirs}`, category: "CC-FAIL" }, { run: "test_0000000000000000" }],
    remember_structured: [{ type: "decisions", agent: "dev", text: "Ours is tabs" }],
    run_completion_contract: [{}, { working_dir: "none" }],
  };
}

/** Calls of one tool that together show what it can show. Undefined where nobody has said what a required argument may be. */
export function inputsOf(tool: Tool<unknown>, { ids }: PlantedProject): readonly Input[] | undefined {
  const own = ownInputs(ids)[tool.name];
  // What is changed is said: combinations would change more than that.
  if (own && effects[tool.effect].access === "write") return own;
  const values = valuesFor(ids);
  const required = Object.entries(tool.input.shape).flatMap(([name, schema]) =>
    (schema as { safeParse(value: unknown): { success: boolean } }).safeParse(undefined).success ? [] : [name],
  );
  if (required.some((name) => values[name] === undefined)) return own;
  let combined: Input[] = [{}];
  for (const name of required)
    combined = combined.flatMap((input) => (values[name] ?? []).map((value) => ({ ...input, [name]: value })));
  return [...combined, ...(own ?? [])];
}
