import { join } from "node:path";
import type { App } from "../../../commons/cli/app.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { Git } from "../../../platform/git/git.ts";
import { createRepository } from "../../../platform/git/write/create-repository.ts";
import { sampleCommits } from "./sample-project.ts";
import { makeSampleRules } from "./sample-rules.ts";
import { sampleBlock, sampleFailures, sampleMemories, sampleTickets } from "./sample-work.ts";

export type DemoWork = { ticketId: string; blockId: string; taskId: string };

type CallTool = (tool: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>;

const ownedFolders = ["Forge", ".fractary"];
const author = { name: "Forge demo", email: "demo@forge.invalid" };

/** The code, commit by commit in a repository of its own. After each, the rules are checked, so that there is a trend to show. */
export async function writeSampleCode(app: App, folder: string, signal: AbortSignal): Promise<App> {
  let demo: App | undefined;
  for (const { message, files } of [...sampleCommits, makeSampleRules(Date.now())]) {
    for (const [path, text] of Object.entries(files)) await writeSampleFile(app, folder, path, text);
    if (!demo) await createRepository(folder, author, signal);
    await new Git().work(folder).commits.create({ message, trailers: {}, paths: Object.keys(files) }, signal);
    demo ??= await openTrusted(app, folder, signal);
    await callerFor(demo, signal)("run_governance_check", { tests: true });
  }
  return demo ?? app.at(folder);
}

/** Rules and registries are protected against assistants' file tools; here it is the user's command that writes them. */
async function writeSampleFile(app: App, folder: string, path: string, text: string): Promise<void> {
  const owned = ownedFolders.find((name) => path.startsWith(`${name}/`));
  if (owned === undefined) await app.files.write(join(folder, path), text, { force: false });
  else
    await SafeRoot.at(folder)
      .within(owned)
      .write(path.slice(owned.length + 1), text, { state: "absent" });
}

/** Only what was written a moment ago is there to run. */
async function openTrusted(app: App, folder: string, signal: AbortSignal): Promise<App> {
  const demo = app.at(folder);
  await demo.person.giveTrust(await demo.person.trust(signal));
  return demo;
}

/** Tickets, tasks and memories. Returns what the assistant is to do. */
export async function writeSampleWork(demo: App, signal: AbortSignal): Promise<DemoWork> {
  const call = callerFor(demo, signal);
  const ticketIds = await writeTickets(call);
  const taskIds = await writeTasks(call, ticketIds[0] ?? "");
  for (const memory of sampleMemories) await call("remember_structured", memory);
  for (const { failure, times } of sampleFailures)
    for (let time = 0; time < times; time++) await call("record_failure", failure);
  return { ticketId: ticketIds[0] ?? "", blockId: sampleBlock.id, taskId: taskIds[0] ?? "" };
}

async function writeTickets(call: CallTool): Promise<string[]> {
  const ids: string[] = [];
  for (const { draft, needs = [], statuses, questions, comment } of sampleTickets) {
    const dependsOn = needs.map((index) => ids[index] ?? "");
    const { ticketId } = await call("create_ticket", { ...draft, ...(dependsOn.length > 0 && { dependsOn }) });
    const id = String(ticketId);
    ids.push(id);
    if (questions) await call("submit_review_questions", { ticketId: id, questions });
    for (const status of statuses) await call("update_ticket_status", { ticketId: id, status });
    if (comment !== undefined) await call("comment_ticket", { ticketId: id, text: comment });
  }
  return ids;
}

async function writeTasks(call: CallTool, ticketId: string): Promise<string[]> {
  const { id: blockId, name, description, tasks } = sampleBlock;
  await call("forge_create_block", { block_id: blockId, name, description });
  const ids: string[] = [];
  for (const { name: taskName, dependencies, files } of tasks) {
    const { task } = await call("forge_create_task", {
      block_id: blockId,
      task_name: taskName,
      dependencies: dependencies.map((index) => ids[index] ?? ""),
      files_affected: files,
      ...(ids.length === 0 && { ticket_id: ticketId }),
    });
    ids.push(String((task as Record<string, unknown>)["id"]));
  }
  return ids;
}

export function callerFor(app: App, signal: AbortSignal): CallTool {
  return async (tool, input) =>
    (await app.tools.call(tool, input, { signal, command: "demo" })) as Record<string, unknown>;
}
