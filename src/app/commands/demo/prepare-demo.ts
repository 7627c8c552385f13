import { join } from "node:path";
import type { App } from "../../../commons/cli/app.ts";
import { Git } from "../../../platform/git/git.ts";
import { createRepository } from "../../../platform/git/write/create-repository.ts";
import { sampleBlock, sampleFiles, sampleTickets } from "./sample-project.ts";

export type DemoWork = { ticketId: string; blockId: string; taskId: string };

const author = { name: "Forge demo", email: "demo@forge.invalid" };

/** The code, in a repository of its own, with one commit. */
export async function writeSampleCode(app: App, folder: string, signal: AbortSignal): Promise<void> {
  for (const [path, text] of Object.entries(sampleFiles))
    await app.files.write(join(folder, path), text, { force: false });
  await createRepository(folder, author, signal);
  const paths = Object.keys(sampleFiles);
  await new Git().work(folder).commits.create({ message: "A small shop", trailers: {}, paths }, signal);
}

/** Tickets and tasks. Returns what the assistant is to do. */
export async function writeSampleWork(demo: App, signal: AbortSignal): Promise<DemoWork> {
  const call = async (tool: string, input: Record<string, unknown>) =>
    (await demo.tools.call(tool, input, { signal, command: "demo" })) as Record<string, unknown>;
  const ids: string[] = [];
  for (const { draft, statuses, questions } of sampleTickets) {
    const id = String((await call("create_ticket", draft))["ticketId"]);
    ids.push(id);
    if (questions) await call("submit_review_questions", { ticketId: id, questions });
    for (const status of statuses) await call("update_ticket_status", { ticketId: id, status });
  }
  const { id: blockId, name, description, tasks } = sampleBlock;
  await call("forge_create_block", { block_id: blockId, name, description });
  const taskIds: string[] = [];
  for (const { name: taskName, dependencies, files } of tasks) {
    const { task } = await call("forge_create_task", {
      block_id: blockId,
      task_name: taskName,
      dependencies: dependencies.map((index) => taskIds[index] ?? ""),
      files_affected: files,
      ...(taskIds.length === 0 && { ticket_id: ids[0] }),
    });
    taskIds.push(String((task as Record<string, unknown>)["id"]));
  }
  return { ticketId: ids[0] ?? "", blockId, taskId: taskIds[0] ?? "" };
}
