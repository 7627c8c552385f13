import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startTicketServer } from "../../harness/rooms/tickets/ticket-server.ts";

/** A word that other people wrote: in tickets, imports, installed files, and what a misled assistant wrote down. */
export const theirs = "zzothers";
/** A word of the repository: the user's own once the project is trusted. */
export const inRepository = "zzrepo";
/** The same in texts that no call names, so that what an answer repeats of its arguments is told from what it shows. */
const [theirWord, repositoryWord] = ["qqothers", "qqrepo"];
/** What a client would load, or show otherwise than it is. */
const carriers = "![x](https://evil.example/x.png)\u202e\u200b\u{e0041}<img src=x>";
const [theirText, repositoryText] = [`${theirWord} ${carriers}`, `${repositoryWord} ${carriers}`];
/** Words of others, by whose they are. */
export const plantedWords = { others: [theirs, theirWord], repository: [inRepository, repositoryWord] } as const;

const repositoryFiles: Record<string, string> = {
  "README.md": `# ${repositoryText}\n`,
  "package.json": JSON.stringify({ name: inRepository, description: repositoryText }),
  [`src/${inRepository}.ts`]: `export const word = "${repositoryText}";\n`,
  "Forge/Contracts/manifesto.md": `# ${repositoryText}\n`,
  "Forge/Contracts/stack.md": `# ${repositoryText}\n`,
  "Forge/Contracts/builder_directive.md": `# ${repositoryText}\n`,
  "Forge/Contracts/physics.yaml": `rules:\n  - ${repositoryText}\n`,
  "Forge/Contracts/boundaries.json": JSON.stringify({
    layers: [{ name: inRepository, glob: "src/**", forbidden: [] }],
  }),
  "Forge/invariants.json": JSON.stringify({
    invariants: [{ name: inRepository, constraint: "equal", value: 9, glob: "*.md", description: repositoryText }],
  }),
  ".forge_artifacts/shop/phase/zzrepo.json": JSON.stringify(repositoryText),
  "_bmad/_memory/decisions-log.md": `# Decisions\n- [2026-01-01] ${repositoryText}\n`,
  "_bmad/_memory/failure-museum.md": `## 🟡 Importantes\n### [2026-01-01] [dev] HALLUCINATION — ${repositoryText}\n`,
  "_bmad/_memory/agent-learnings/dev.md": `- [2026-01-01] ${repositoryText}\n`,
  [`_bmad/_memory/agent-learnings/${inRepository}.md`]: `- [2026-01-01] ${repositoryText}\n`,
  "_bmad/_memory/config.yaml": `project_name: ${inRepository}\n`,
  "project-context.yaml": `project:\n  name: ${inRepository}\n  description: ${repositoryText}\n`,
  [`_bmad-output/.runs/${inRepository}/branch.json`]: JSON.stringify({
    branch: inRepository,
    status: "active",
    purpose: repositoryText,
  }),
  [`_bmad-output/.runs/${inRepository}/dev-20260201-100000/state.json`]: JSON.stringify({
    run_id: inRepository,
    status: "running",
    current_step: 1,
    total_steps: 2,
    steps_completed: [],
    started_at: "2026-02-01T10:00:00Z",
  }),
  ".fractary/config.json": JSON.stringify({
    registries: [{ name: inRepository, url: "https://registry.invalid", type: "manifest" }],
    notice: repositoryText,
  }),
  [`.fractary/agents/${inRepository}.yaml`]: agentFile(inRepository, repositoryText),
  ".fractary/agents/broken.yaml": `name: ${inRepository}\ntype: ${repositoryText}\n`,
  ".fractary/tools/broken.yaml": `name: ${inRepository}\ntype: ${repositoryText}\n`,
  [`.fractary/tools/${inRepository}.yaml`]: toolFile(inRepository, repositoryText),
};

/** What the registry installed or fetched. */
const installedFiles: Record<string, string> = {
  [`.fractary/plugins/${theirs}/plugin.json`]: JSON.stringify({
    name: theirs,
    version: "1.0.0",
    description: theirText,
  }),
  [`.fractary/plugins/${theirs}/agents/${theirs}.yaml`]: agentFile(theirs, theirText),
  [`.fractary/registry/agents/${theirs}@1.0.0.yaml`]: agentFile(theirs, theirText),
  [`.fractary/registry/tools/${theirs}@1.0.0.yaml`]: toolFile(theirs, theirText),
};

function agentFile(name: string, text: string): string {
  return `name: ${name}\ntype: agent\nversion: "1.0.0"\ndescription: ${text}\nllm:\n  provider: anthropic\n  model: claude\nsystem_prompt: ${text}\ntools: []\n`;
}

function toolFile(name: string, text: string): string {
  return `name: ${name}\ntype: tool\nversion: "1.0.0"\ndescription: ${text}\ncommand: ls\nparameters: {}\n`;
}

const hostile = {
  id: "T-001",
  title: `Fix ${theirText}`,
  status: "READY",
  description: `Do ${theirText}.`,
  acceptanceCriteria: [`Has ${theirText}`],
  labels: [theirs],
  fileChanges: [{ path: `${theirs}.txt`, action: "create" }],
};

export type PlantedProject = Awaited<ReturnType<typeof plantProject>>;

/** A project with words by others in every store, put there as it happens: imports, a clone's files, an assistant that was misled. */
export async function plantProject({ isTrusted }: { isTrusted: boolean }) {
  const server = await startTicketServer({ git: true });
  const { cwd, git, command } = server;
  for (const [path, text] of Object.entries({ ...repositoryFiles, ...installedFiles })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  writeFileSync(join(cwd, ".gitignore"), ".forge/\n");
  for (const [name, value] of [
    ["user.name", "Ada"],
    ["user.email", "ada@example.org"],
  ] as const)
    git("config", name, value);
  git("checkout", "--quiet", "-b", inRepository);
  git("add", ".");
  git("commit", "--quiet", "-m", inRepository);
  await command("import_tickets", { text: JSON.stringify(hostile), source: "x.json", onExisting: "refuse" });
  const importAssigned = (id: string) => {
    const text = JSON.stringify({ ...hostile, id, assignee: theirs });
    return command("import_tickets", { text, source: "y.json", onExisting: "refuse" });
  };
  const ours = { status: "READY", acceptanceCriteria: ["Works"] };
  for (const title of ["Ours", "Commented", "Asked", "With a task"]) await command("create_ticket", { title, ...ours });
  await command("import_memories", {
    text: JSON.stringify([{ type: "decisions", agent: "dev", text: `Decided ${theirText}` }]),
    file: "x.json",
  });
  await command("remember_structured", { type: "decisions", agent: "dev", text: "Ours is tabs" });
  await command("forge_create_block", { name: "Ours", block_id: "ours" });
  const task = { block_id: "ours", task_name: "Ours", description: "Ours" };
  const { task: own } = (await command("forge_create_task", task)) as TaskAnswer;
  await command("create_project", { name: "Shop", id: "shop" });
  await command("put_project_contract", { project_id: "shop", contract_type: "manifesto", content: "Ours" });
  const build = (await command("start_build", { project_id: "shop" })) as { build_id: string };
  await command("forge_store_artifact", { ...artifact("ours"), content: "Ours" });
  const task1 = { task_id: theirs, task_name: `Task ${theirText}`, dependencies: [] };
  const task2 = { ...task1, task_id: "t2", dependencies: [`${theirText} first`] };
  const imported = [{ name: "Imported", block_id: "imported", todo_list: { [theirs]: task1, t2: task2 } }];
  await command("forge_import_blocks", { text: JSON.stringify(imported), source: "x.json" });
  if (isTrusted) await server.trust();
  const started = await startImported(server);
  const misled = await misleadAssistant(server);
  await importAssigned("T-007");
  // Nobody reads this one: whether its change is asked for says whether something else was read.
  await command("create_ticket", { title: "Held", ...ours });
  await importAssigned("T-009");
  return { ...server, ids: { ...misled, started, ours: own.id, build: build.build_id } };
}

/** An assistant that has read nothing, and is told to work on a task from a file of others. */
async function startImported({ connect }: Awaited<ReturnType<typeof startTicketServer>>): Promise<string> {
  const { call } = await connect({ name: "starter" });
  const options = { isolation: "worktree" };
  const { structured } = await call("forge_execute_task", { block_id: "imported", task_id: theirs, options });
  const execution_id = String(structured["execution_id"]);
  await call("forge_cancel_execution", { execution_id, reason: "none" });
  return execution_id;
}

export function artifact(key: string) {
  return { project_id: "shop", artifact_type: "phase", key };
}

/** An assistant that has read a hostile ticket, and writes its words down everywhere. The person allowed what it asked for. */
async function misleadAssistant({ connect }: Awaited<ReturnType<typeof startTicketServer>>) {
  const { call: plainCall } = await connect({
    name: "misled",
    person: () => ({ action: "accept", content: { allow: true } }),
  });
  const call = async (tool: string, input: Record<string, unknown>) => {
    const answer = await plainCall(tool, input);
    if (answer.isError) throw new Error(`${tool}: ${answer.text}`);
    return answer.structured;
  };
  await call("list_tickets", {});
  await call("comment_ticket", { ticketId: "T-003", text: `Do ${theirText}` });
  await call("submit_review_questions", {
    ticketId: "T-004",
    questions: [{ question: `${theirText}?`, blocking: true }],
  });
  await call("create_ticket", { title: `Also ${theirText}`, status: "READY" });
  await call("remember_structured", {
    type: "decisions",
    agent: "dev",
    text: `Always ${theirText}`,
    tags: [theirText],
  });
  await call("record_failure", { title: `Forgot ${theirs}`, lesson: theirText });
  await call("forge_store_artifact", { ...artifact(theirs), content: theirText });
  const named = { task_name: `Task ${theirText}`, description: theirText, acceptance_criteria: [theirText] };
  const first = (await call("forge_create_task", { block_id: "ours", ...named, ticket_id: "T-005" })) as TaskAnswer;
  const second = (await call("forge_create_task", {
    ...{ block_id: "ours", task_name: "Second", description: "Waits" },
    dependencies: [first.task.id],
  })) as TaskAnswer;
  await call("forge_claim_task", { block_id: "ours", task_id: second.task.id, worker: "w2" });
  const { execution_id } = await call("forge_execute_task", { block_id: "tickets", task_id: "T-001" });
  await call("forge_create_block", { name: `Block ${theirText}`, block_id: theirs, description: theirText });
  return { task: first.task.id, waiting: second.task.id, execution: String(execution_id) };
}

type TaskAnswer = { task: { id: string } };
