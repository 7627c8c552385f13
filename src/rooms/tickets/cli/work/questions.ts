import type { App } from "../../../../commons/cli/app.ts";
import type { Output } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { AskLine } from "../../../../platform/terminal/ask-line.ts";
import { plain } from "../../../../platform/terminal/text.ts";
import { questionCategories } from "../../model/limits.ts";
import type { Ticket } from "../../model/ticket.ts";
import { choiceOf } from "../choice.ts";
import type { TicketDesk } from "../desk.ts";
import { deskForResult } from "../desk-for-result.ts";
import { isOpen, questionLines } from "../text/question-lines.ts";
import { staleLine } from "../text/stale-line.ts";

type Wanted = {
  id: string;
  answer: string[] | undefined;
  interactive: boolean | undefined;
  ask: string[] | undefined;
  blocking: boolean | undefined;
  category: string | undefined;
};

export async function runQuestions(app: App, wanted: Wanted, out: Output): Promise<number> {
  const { id, answer, ask: asked, blocking = false, interactive } = wanted;
  const category = choiceOf(questionCategories, wanted.category);
  if (!asked && (blocking || category)) throw nothingAsked();
  const answers = answer && answersFrom(answer);
  const person = interactive ? (app.ask ?? nobodyToAsk(id)) : undefined;
  const desk = await deskForResult(app);
  let ticket: Ticket | undefined;
  if (answers) ticket = await desk.answer(id, answers);
  if (asked) {
    const questions = asked.map((question) => ({ question, blocking, ...(category && { category }) }));
    ticket = await desk.addQuestions(id, questions);
  }
  ticket ??= await desk.get(id);
  if (person) ticket = await askOpenOnes(desk, ticket, person, out);
  const { id: known, status, questions, stale } = ticket;
  out.data({ id: known, status, questions, ...(stale !== undefined && { stale }) }, () => {
    const lines = questions.length === 0 ? [`${plain(known)} has no questions.`] : questionLines(questions, out.style);
    const old = staleLine({ stale }, "ticket");
    return [...(old === undefined ? [] : [out.style.yellow(old)]), ...lines].join("\n");
  });
  if (!person && app.ask && !out.json && questions.some(isOpen))
    out.note(`\`forge questions ${plain(known)} -i\` asks you the open ones.`);
  return 0;
}

/** Each answer is kept as it is given: whoever leaves in the middle loses nothing. */
async function askOpenOnes(desk: TicketDesk, ticket: Ticket, ask: AskLine, out: Output): Promise<Ticket> {
  const open = ticket.questions
    .filter(isOpen)
    .sort((a, b) => Number(b.blocking ?? false) - Number(a.blocking ?? false));
  let latest = ticket;
  for (const question of open) {
    out.note(questionLines([question], out.style).join("\n"));
    const answer = await ask("Answer (nothing leaves it open): ", out.signal);
    if (answer === undefined) return latest;
    if (answer.trim() !== "") latest = await desk.answer(ticket.id, { [question.id]: answer.trim() });
  }
  return latest;
}

function answersFrom(words: string[]): Record<string, string> {
  const answers = new Map<string, string>();
  for (const word of words) {
    const equals = word.indexOf("=");
    const id = word.slice(0, Math.max(0, equals)).trim();
    const answer = word.slice(equals + 1).trim();
    if (id === "" || answer === "") throw noAnswer(word);
    if (answers.has(id)) throw answeredTwice(id);
    answers.set(id, answer);
  }
  return Object.fromEntries(answers);
}

function noAnswer(word: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `--answer cannot be "${word.slice(0, 64)}"; it is a question's id and a text.`,
    {
      next: ['Write it like --answer "Q-1=For a day."'],
    },
  );
}

function answeredTwice(id: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${id.slice(0, 64)} is answered twice.`, {
    next: ["Give one answer for each question."],
  });
}

function nothingAsked(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "--blocking and --category are about a question, and none is asked.", {
    next: ["Give the question with --ask."],
  });
}

function nobodyToAsk(id: string): never {
  throw new ForgeError("VALIDATION_ERROR", "There is no terminal to ask on.", {
    next: [`Answer with \`forge questions ${id.slice(0, 64)} --answer Q-1=TEXT\`.`],
  });
}
