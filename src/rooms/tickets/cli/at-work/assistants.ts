import { ForgeError } from "../../../../kernel/errors.ts";
import type { Gate } from "../../model/status.ts";

/** Assistants that run on a terminal, by the program that starts them, and how each is given its first words. */
const assistants: Record<string, (words: string) => string[]> = {
  claude: (words) => [words],
  codex: (words) => [words],
  gemini: (words) => ["--prompt-interactive", words],
  "cursor-agent": (words) => [words],
};

const assistantNames = Object.keys(assistants);

export const promptOf: Record<Gate, string> = { execute: "forge_execute", review: "forge_review" };

const goals: Record<Gate, string> = {
  execute: "Carry out ticket",
  review: "Review ticket",
};

/** The command line that starts an assistant on a ticket; the first of them where none is named. */
export function launchOf(name: string, gate: Gate, id: string): { program: string; args: string[] } {
  const program = name === "" ? "claude" : name;
  const argsFor = Object.hasOwn(assistants, program) ? assistants[program] : undefined;
  if (!argsFor)
    throw new ForgeError("VALIDATION_ERROR", `--launch knows no assistant named ${program.slice(0, 64)}.`, {
      next: [`Give one of ${assistantNames.join(", ")}; any other can be connected by hand, without --launch.`],
    });
  const words =
    `${goals[gate]} ${id} with the MCP server forge: follow its prompt ${promptOf[gate]} with ticketId ${id}. ` +
    `If you cannot use prompts, begin with its tool get_ticket_context for ${id}.`;
  return { program, args: argsFor(words) };
}
