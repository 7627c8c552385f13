import { commandFor } from "../../../commons/cli/command-for.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { getFailureMuseum } from "../tools/failures/get-failure-museum.ts";
import type { recordFailure } from "../tools/failures/record-failure.ts";
import type { runCompletionContract } from "../tools/failures/run-completion-contract.ts";
import type { getAgentMemory } from "../tools/project/get-agent-memory.ts";
import type { getProjectContext } from "../tools/project/get-project-context.ts";
import type { getWorkflowStatus } from "../tools/project/get-workflow-status.ts";
import type { listSessions } from "../tools/project/list-sessions.ts";
import { commandFacts } from "./command-facts.ts";

type Item = { text: string; source: string };

export const context = commandFor<typeof getProjectContext>({
  ...commandFacts,
  tool: "get_project_context",
  name: "memory context",
  summary: "Show what the project's BMAD files say about it",
  examples: [["forge memory context --section decisions", "The recorded decisions."]],
  options: { section: { help: "Only this section." } },
  print({ name, description, installed, stack, agents, decisions, architecture, problems }, out) {
    out.print(out.style.bold(plain(name)) + (description === undefined ? "" : `: ${plain(description)}`));
    for (const { name: kit, version = "", file } of installed)
      out.print(`${plain(`${kit} ${version}`.trim())} (${plain(file)})`);
    const section = (title: string, items: Item[] | undefined) => {
      if (!items || items.length === 0) return;
      out.print(`\n${out.style.bold(title)}`);
      for (const { text, source } of items) out.print(`  ${plain(text)}  ${out.style.dim(plain(source))}`);
    };
    section("Stack", stack);
    section(
      "Agents",
      agents?.map(({ id, name: persona, title, source }) => ({
        text: [id, persona, title].filter(Boolean).join(", "),
        source,
      })),
    );
    section("Decisions", decisions);
    section("Architecture", architecture);
    for (const { file, why } of problems) out.note(`${plain(file)}: ${plain(why)}`);
  },
});

export const agent = commandFor<typeof getAgentMemory>({
  ...commandFacts,
  tool: "get_agent_memory",
  name: "memory agent",
  summary: "Show what an agent has learned",
  examples: [["forge memory agent dev --last-n 5", "Its five newest learnings."]],
  arguments: [{ field: "agent", help: "File id, tag or persona name." }],
  options: { query: { help: "Most relevant to this first." }, last_n: { flag: "last-n", help: "How many at most." } },
  print({ learnings, problems }, out) {
    if (learnings.length === 0) out.note("No learnings.");
    for (const { text, date = "", source } of learnings)
      out.print(`${date}  ${plain(text)}  ${out.style.dim(plain(source))}`);
    for (const { file, why } of problems) out.note(`${plain(file)}: ${plain(why)}`);
  },
});

export const workflow = commandFor<typeof getWorkflowStatus>({
  ...commandFacts,
  tool: "get_workflow_status",
  name: "memory workflow",
  summary: "Show where the BMAD workflow is",
  examples: [["forge memory workflow", "The newest run, or the sprint."]],
  options: { run_id: { flag: "run", help: "A run's id." }, branch: { help: "Session branch." } },
  print({ kind, run, unreadable, sprint }, out) {
    if (kind === "none") out.note("No runs and no sprint-status.yaml.");
    if (run) {
      out.print(
        `${plain(run.run_id)}  ${plain(run.status)}  step ${run.current_step ?? "?"} of ${run.total_steps ?? "?"}  (${plain(run.branch)})`,
      );
      for (const { id, status = "", label = "" } of run.nodes ?? [])
        out.print(`  ${plain(id)}  ${plain(status)}  ${plain(label)}`);
    }
    if (unreadable) out.note(`A newer run cannot be read: ${plain(unreadable.source)}`);
    for (const { id, status = "", stories } of sprint?.epics ?? []) {
      out.print(`${plain(id)}  ${plain(status)}`);
      for (const story of stories) out.print(`  ${plain(story.id)}  ${plain(story.status)}`);
    }
  },
});

export const sessions = commandFor<typeof listSessions>({
  ...commandFacts,
  tool: "list_sessions",
  name: "memory sessions",
  summary: "List BMAD session branches",
  examples: [["forge memory sessions --status active", "Sessions that are not finished."]],
  options: { status: { help: "Only this status." } },
  print({ sessions: found }, out) {
    if (found.length === 0) out.note("No sessions.");
    for (const { branch, status, runs, purpose = "" } of found)
      out.print(`${plain(branch)}  ${status}  ${runs} ${runs === 1 ? "run" : "runs"}  ${plain(purpose)}`);
  },
});

export const museum = commandFor<typeof getFailureMuseum>({
  ...commandFacts,
  tool: "get_failure_museum",
  name: "memory failures",
  summary: "Show past failures and their lessons",
  examples: [["forge memory failures --top-n 5", "The five most critical."]],
  options: { category: { help: "Only this category." }, top_n: { flag: "top-n", help: "How many at most." } },
  print({ failures }, out) {
    if (failures.length === 0) out.note("No failures.");
    for (const { title, category = "", severity = "", date = "", lesson, count, source } of failures) {
      const times = count !== undefined && count > 1 ? ` (${count} times)` : "";
      out.print(`${out.style.bold(plain(title))}${times}`);
      out.print(out.style.dim(`  ${[severity, category, date, plain(source)].filter(Boolean).join("  ")}`));
      if (lesson !== undefined) out.print(`  ${plain(lesson)}`);
    }
  },
});

export const record = commandFor<typeof recordFailure>({
  ...commandFacts,
  tool: "record_failure",
  name: "memory fail",
  summary: "File a failure",
  examples: [
    ['forge memory fail --run cc_0123456789abcdef --lesson "Run the migration first"', "File a failed contract."],
  ],
  arguments: [{ field: "title", required: false, help: "What went wrong." }],
  options: {
    run: { help: "Id of a failed contract or test run." },
    category: { help: "Category." },
    severity: { help: "Severity." },
    agent: { help: "Role that it happened to." },
    root_cause: { flag: "cause", help: "Root cause." },
    lesson: { help: "What to do differently." },
    rule: { help: "Rule that prevents it." },
  },
  print: ({ title, count = 1, fingerprint = "" }, out) =>
    out.print(`Filed ${fingerprint}: ${plain(title)}${count > 1 ? ` (${count} times)` : ""}`),
});

export const verify = commandFor<typeof runCompletionContract>({
  ...commandFacts,
  tool: "run_completion_contract",
  name: "memory verify",
  summary: "Check that work is complete",
  details:
    "Runs the project's cc-verify.sh, or the checks for its stacks. Exits with 0 only on PASS; NO_STACK means that nothing could be checked.",
  examples: [["forge memory verify --stack go", "Check one stack."]],
  options: {
    stack: { help: "Stack to check." },
    working_dir: { flag: "folder", path: "folder", help: "Folder to check (default: the project)." },
  },
  print({ status, output, checks, known_failures: known = [] }, out) {
    for (const line of output.split("\n")) out.print(plain(line));
    for (const { check, outcome, why = "" } of checks) out.print(`${outcome.padEnd(8)}${plain(check)}  ${plain(why)}`);
    const paint = status === "PASS" ? out.style.green : status === "FAIL" ? out.style.red : out.style.yellow;
    out.print(paint(status));
    for (const { title, lesson = "" } of known) out.note(`Happened before: ${plain(title)}. ${plain(lesson)}`.trim());
  },
  exitCode: ({ status }) => (status === "PASS" ? 0 : 1),
});
