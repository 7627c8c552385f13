import type { App } from "../../../../commons/cli/app.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import type { Gate } from "../../model/status.ts";
import type { Ticket } from "../../model/ticket.ts";
import { promptOf } from "./assistants.ts";

/** What to type into an assistant to have it take up a ticket. */
export function connectLines(gate: Gate, id: string): string[] {
  const prompt = promptOf[gate];
  return [
    `Open Claude Code here and run /mcp__forge__${prompt} ${plain(id)}`,
    `In any other assistant: the prompt ${prompt} of the server forge, with ticketId ${plain(id)}`,
  ];
}

export function standingLine({ id, status, assignee }: Ticket, assigned: boolean): string {
  const whose = assignee === undefined ? "nobody's" : assigned ? `now yours (${assignee})` : `${assignee}'s`;
  return plain(`${id} is ${status} and ${whose}.`);
}

/** Whether `forge init` wrote anything here. Where its files cannot be understood, that is init's to say. */
export async function isSetUp(app: App): Promise<boolean> {
  const everything = {
    clients: undefined,
    scope: undefined,
    outside: true,
    npx: false,
    skill: false,
    agentsMd: false,
    claudeMd: false,
  };
  try {
    return (await app.setup()).planRemoval(everything).changes.length > 0;
  } catch {
    return true;
  }
}
