import type { Action } from "../../../../kernel/action.ts";
import type { Call } from "../../../../kernel/calls/call.ts";
import { isProven } from "../../model/records/is-proven.ts";
import type { WorkRecord } from "../../model/records/schema.ts";
import type { Ticket } from "../../model/ticket.ts";
import type { TicketServices } from "../tickets.ts";

type NextServices = Pick<TicketServices, "git" | "cwd" | "workbench">;

/** When all of its work is merged and proven, a ticket can be completed; before that, it is to be worked on or proven. */
export async function nextSteps(services: NextServices, ticket: Ticket, call: Call): Promise<Action[]> {
  const { id, status, criteria, records } = ticket;
  if (status !== "CREATED" || records?.work?.some((work) => work.status === "started")) return [];
  const tasks = (await (await services.workbench())?.tasksOf(call, id)) ?? [];
  const open = tasks.find((task) => task.status !== "completed");
  if (open) return [startTask(open)];
  if (!isProven(ticket)) return proveTicket(ticket);
  if (!(await areMerged(services, records?.work ?? [], call.signal))) return [];
  return [
    {
      tool: "update_ticket_status",
      input: { ticketId: id, status: "COMPLETE" },
      why: criteria.length === 0 ? "to complete it, if that was all of it" : "to complete it",
    },
  ];
}

function startTask({ id, name }: { id: string; name: string }): Action {
  const at = id.lastIndexOf("/");
  const input = { block_id: id.slice(0, at), task_id: id.slice(at + 1) };
  return { tool: "forge_execute_task", input, why: `to continue with ${name}` };
}

function proveTicket({ id, records }: Ticket): Action[] {
  const hasChecks = (records?.checks?.length ?? 0) > 0;
  return [
    ...(hasChecks ? [] : [{ tool: "forge_bind_check", why: "to say how each criterion is checked" }]),
    { tool: "forge_verify_ticket", input: { ticketId: id }, why: "to prove its criteria" },
  ];
}

/** Work that was left on a branch of its own, for a pull request, is merged when HEAD contains it. */
async function areMerged(
  { git, cwd }: NextServices,
  done: readonly WorkRecord[],
  signal: AbortSignal,
): Promise<boolean> {
  const left = done.flatMap(({ status, branch, commit }) =>
    status === "committed" && branch !== undefined && commit !== undefined ? [commit] : [],
  );
  if (left.length === 0) return true;
  const work = git.tryWork(cwd);
  const head = work && (await work.head(signal)).commit;
  if (head === undefined) return true;
  for (const commit of left) {
    const isKnown = await work?.commits.has(commit, signal);
    if (!isKnown || !(await work?.commits.isInHistory(commit, [head], signal))) return false;
  }
  return true;
}
