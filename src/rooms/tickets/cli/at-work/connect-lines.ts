import type { App } from "../../../../commons/cli/app.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { Gate } from "../../model/status.ts";
import type { TicketView } from "../../model/ticket/ticket-view.ts";
import type { StatusWords } from "../status-words.ts";
import { promptOf } from "./assistants.ts";

/** What to type into an assistant so that it starts on a ticket. */
export function connectLines(gate: Gate, id: string): string[] {
  const prompt = promptOf[gate];
  return [
    `Open Claude Code here and run /mcp__forge__${prompt} ${plain(id)}`,
    `In any other assistant, use the prompt ${prompt} of the server forge with ticketId ${plain(id)}`,
  ];
}

export function ticketLine({ id, status, assignee }: TicketView, assigned: boolean, words: StatusWords): string {
  const who =
    assignee === undefined ? "unassigned" : assigned ? `now assigned to you (${assignee})` : `assigned to ${assignee}`;
  return plain(`${id} is ${words.show(status)} and ${who}.`);
}

/** An execution that was just started. */
export type Begun = { execution_id: string; root: string; branch_created?: string };

export function placeLine({ execution_id: id, root, branch_created: branch }: Begun): string {
  return plain(`  Execution ${id} ${branch === undefined ? "" : `on branch ${branch} `}in ${root}`);
}

/** What is needed of the room that configures assistants. */
type SetupServices = { setup: { planRemoval(request: typeof everything): { changes: readonly unknown[] } } };

const everything = {
  clients: undefined,
  scope: undefined,
  outside: true,
  npx: false,
  skill: false,
  agentsMd: false,
  claudeMd: false,
};

/** Whether `forge init` has configured anything here. If its files cannot be read, `forge init` says so. */
export async function isSetUp(app: App): Promise<boolean> {
  try {
    const { setup } = await app.room<SetupServices>("setup");
    return setup.planRemoval(everything).changes.length > 0;
  } catch {
    return true;
  }
}
