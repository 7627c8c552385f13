import type { Gate } from "../../model/status.ts";
import { unknownAssistant } from "../errors.ts";

/** Assistants that run on a terminal, by the program that starts them, and how each gets its first message. */
const assistants: Record<string, (message: string) => string[]> = {
  claude: (message) => [message],
  codex: (message) => [message],
  gemini: (message) => ["--prompt-interactive", message],
  "cursor-agent": (message) => [message],
};

const assistantNames = Object.keys(assistants);

export const promptOf: Record<Gate, string> = { execute: "forge_execute", review: "forge_review" };

const goals: Record<Gate, string> = { execute: "Execute ticket", review: "Review ticket" };

/** The command line that starts an assistant on a ticket; claude by default. */
export function launchLine(name: string, gate: Gate, id: string): { program: string; args: string[] } {
  const program = name === "" ? "claude" : name;
  const argsFor = Object.hasOwn(assistants, program) ? assistants[program] : undefined;
  if (!argsFor) throw unknownAssistant(program, assistantNames);
  const message =
    `${goals[gate]} ${id} with the MCP server forge: follow its prompt ${promptOf[gate]} with ticketId ${id}. ` +
    `If you cannot use prompts, start with its tool get_ticket_context for ${id}.`;
  return { program, args: argsFor(message) };
}
