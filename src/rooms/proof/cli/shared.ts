import type { App } from "../../../commons/cli/app.ts";
import type { Output, Style } from "../../../kernel/definitions/command.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { needsPerson, notConfirmed } from "../model/errors.ts";
import type { CriterionView } from "../model/schemas.ts";

/** What all commands of proof have in common. */
export const commandFacts = {
  settings: ["project", "databaseUrl", "ledgerDays", "apiUrl", "token"],
  group: "tickets",
} as const;

/** What lowers the bar is asked on the terminal itself, so that no program can answer. Throws where nobody does. */
export async function confirmAsPerson({ person }: App, question: string, { signal }: Output): Promise<void> {
  const answer = await person.confirm(question, signal);
  if (answer === undefined) throw needsPerson();
  if (!answer) throw notConfirmed();
}

export const ticketArgument = { field: "ticketId", name: "id", help: "Ticket id such as T-001." };

const colours: Record<CriterionView["state"], keyof Style> = {
  proven: "green",
  failed: "red",
  unproven: "yellow",
  waived: "cyan",
};
const marks: Record<CriterionView["state"], string> = { proven: "✓", failed: "✗", unproven: "?", waived: "–" };

/** One screen: each criterion with its state, and each check with what it showed. */
export function printCriteria(criteria: readonly CriterionView[], out: Output): void {
  for (const { id, text, state, why, checks } of criteria) {
    out.print(`${out.style[colours[state]](`${marks[state]} ${plain(id)} ${state}`)}  ${plain(text)}`);
    if (!checks.some((check) => check.why === why)) out.print(`    ${plain(why)}`);
    for (const check of checks) {
      const mark = check.changed ? out.style.yellow(" [changed by the same work]") : "";
      const by = check.proposedBy === undefined ? "" : ` [bound by ${check.proposedBy}]`;
      const where = check.reportedBy === undefined ? "" : ` [reported by ${check.reportedBy}]`;
      out.print(`    ${plain(`${check.id} ${check.check}${by}${where}`)}${mark}`);
      out.print(`      ${out.style[colours[check.state]](plain(check.why))}`);
    }
  }
}
