import { hangingLines } from "../../../../commons/cli/print/text-lines.ts";
import type { Style } from "../../../../kernel/definitions/command.ts";
import { isOpen } from "../../model/questions.ts";
import type { Question } from "../../model/ticket.ts";

/** Open and blocking ones first, then open ones, then answered ones; each group in the order of asking. */
export function questionLines(questions: readonly Question[], style: Style): string[] {
  return [...questions].sort((a, b) => rank(a) - rank(b)).flatMap((question) => lines(question, style));
}

function rank(question: Question): number {
  if (!isOpen(question)) return 2;
  return question.blocking ? 0 : 1;
}

function lines(question: Question, style: Style): string[] {
  const { id, question: asked, answer = "", category } = question;
  const about = category === undefined ? asked : `${asked} (${category})`;
  if (!isOpen(question)) {
    const end = question.dismissed === undefined ? `→ ${answer}` : `Dismissed: ${question.dismissed}`;
    return [...hangingLines(id, about), ...hangingLines(" ".repeat(id.length), end)];
  }
  const [first = "", ...rest] = hangingLines(id, about);
  const mark = question.blocking ? style.red("open, BLOCKING") : style.yellow("open");
  return [`${first}  ${mark}`, ...rest];
}
