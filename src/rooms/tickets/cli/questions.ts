import { commandFor, type Run } from "../../../commons/cli/command-for.ts";
import type { Output } from "../../../kernel/definitions/command.ts";
import type { AskLine } from "../../../platform/terminal/ask-line.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { blockersOf, isOpen } from "../model/questions.ts";
import type { Question } from "../model/ticket.ts";
import type { getTicket } from "../tools/get-ticket.ts";
import type { updateQuestions } from "../tools/update-questions.ts";
import { noTerminalToAsk, nothingAsked } from "./errors.ts";
import { questionLines } from "./text/question-lines.ts";
import { staleLine } from "./text/stale-line.ts";
import { completeTicket, ticketArgument, ticketServices, ticketSettings } from "./ticket-argument.ts";

type Questions = { id: string; status: string; questions: Question[]; stale?: string | undefined };

export const questions = commandFor<typeof updateQuestions>({
  tool: "update_questions",
  name: "questions",
  aliases: ["ticket questions"],
  summary: "Show, ask and answer a ticket's questions",
  details: "Without options it lists the questions, open ones first.",
  examples: [
    ["forge questions T-001", "List them."],
    ["forge questions T-001 --answer Q-1=yes", "Answer one."],
    ["forge questions T-001 -i", "Answer the open ones one by one."],
    ['forge questions T-001 --dismiss "Q-2=No guests yet."', "Say why one needs no answer. Only on a terminal."],
    ['forge questions T-001 --ask "For guests too?" --blocking', "Ask one that must be answered before work starts."],
  ],
  settings: ticketSettings,
  group: "tickets",
  arguments: [ticketArgument],
  options: {
    answer: { value: "ID=TEXT" },
    dismiss: { value: "ID=REASON" },
    ask: { value: "TEXT" },
    category: { value: "KIND" },
  },
  own: { interactive: { type: "boolean", short: "i", help: "Answer the open questions one by one." } },
  async complete(app, place) {
    if (place.option !== "answer" && place.option !== "dismiss") return completeTicket(app, place);
    const { tickets } = await ticketServices(app);
    const ticket = await tickets.get(place.positionals[0] ?? "");
    return ticket.questions.map(({ id, question }) => ({ value: `${id}=`, help: question }));
  },
  async instead(input, out, run) {
    const { ticketId, answer, dismiss, ask, blocking, category } = input;
    const changes = ask ?? answer ?? dismiss;
    const { app, call, options } = run;
    if (!ask && (blocking || category)) throw nothingAsked();
    const person = options["interactive"] ? (app.terminal.ask ?? failToAsk(ticketId)) : undefined;
    if (!person && changes) return undefined;
    const found = changes
      ? await call<typeof updateQuestions>("update_questions", input)
      : await call<typeof getTicket>("get_ticket", { ticketId });
    showQuestions(person ? await answerOpenOnes(found, person, run) : found, out, run);
    return 0;
  },
  print: (result, out, run) => showQuestions(result, out, run),
});

function failToAsk(id: string): never {
  throw noTerminalToAsk(id);
}

function showQuestions(
  { id, status, questions: all, stale }: Questions,
  out: Output,
  run: Pick<Run, "app" | "options">,
) {
  out.data({ id, status, questions: all, ...(stale !== undefined && { stale }) }, () => {
    const lines = all.length === 0 ? [`${plain(id)} has no questions.`] : questionLines(all, out.style);
    const old = staleLine({ stale }, "ticket");
    return [...(old === undefined ? [] : [out.style.yellow(old)]), ...lines].join("\n");
  });
  const canAsk = run.app.terminal.ask !== undefined && !run.options["interactive"] && !out.json;
  if (canAsk && all.some(isOpen)) out.note(`Run \`forge questions ${plain(id)} -i\` to answer the open ones.`);
}

/**
 * Asks a person for the answers that work waits for; what they leave open they dismiss with a reason. False if they would
 * rather not start.
 */
export async function settleBlockers(id: string, ask: AskLine, run: Pick<Run, "call" | "out">): Promise<boolean> {
  const { call, out } = run;
  const found = await call<typeof getTicket>("get_ticket", { ticketId: id });
  const { questions: after } = await answerOpenOnes({ ...found, questions: blockersOf(found) }, ask, run);
  const left = blockersOf({ questions: after });
  if (left.length === 0) return true;
  const reason = await ask("To start without the answers, say why; to stop, press Enter: ", out.signal);
  if (reason === undefined || reason.trim() === "") return false;
  const dismiss = left.map((question) => `${question.id}=${reason.trim()}`);
  await call<typeof updateQuestions>("update_questions", { ticketId: id, dismiss });
  return true;
}

/** Each answer is saved at once, so that nothing is lost if the user stops in the middle. */
async function answerOpenOnes(ticket: Questions, ask: AskLine, { call, out }: Pick<Run, "call" | "out">) {
  const open = ticket.questions
    .filter(isOpen)
    .sort((a, b) => Number(b.blocking ?? false) - Number(a.blocking ?? false));
  let latest = ticket;
  for (const question of open) {
    out.note(questionLines([question], out.style).join("\n"));
    const answer = await ask("Answer (empty to skip): ", out.signal);
    if (answer === undefined) return latest;
    if (answer.trim() === "") continue;
    const input = { ticketId: ticket.id, answer: [`${question.id}=${answer.trim()}`] };
    latest = await call<typeof updateQuestions>("update_questions", input);
  }
  return latest;
}
