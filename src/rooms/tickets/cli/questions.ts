import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";
import { questionCategories } from "../model/limits.ts";
import { completeTicket, ticketArgument, ticketSettings } from "./ticket-argument.ts";

export const questions = defineCommand({
  name: "questions",
  summary: "Show, ask and answer a ticket's questions",
  details: "Without options it lists them, the open ones first.",
  examples: [
    ["forge questions T-001", "List them."],
    ["forge questions T-001 --answer Q-1=yes", "Answer one."],
    ["forge questions T-001 -i", "Be asked those that are open, one by one."],
    ['forge questions T-001 --ask "For guests too?" --blocking', "Ask one that work has to wait for."],
  ],
  arguments: [ticketArgument],
  options: {
    answer: { type: "list", value: "ID=TEXT", help: "Answer a question." },
    interactive: { type: "boolean", short: "i", help: "Be asked the open ones one by one." },
    ask: { type: "list", help: "Ask a new question." },
    blocking: { type: "boolean", help: "Work cannot start before what --ask asks is answered." },
    category: { type: "string", value: "KIND", choices: questionCategories, help: "What --ask asks about." },
  },
  settings: ticketSettings,
  group: "tickets",
  async complete(app: App, place) {
    if (place.option !== "answer") return completeTicket(app, place);
    const { questions } = await (await app.tickets()).get(place.positionals[0] ?? "");
    return questions.map(({ id, question }) => ({ value: `${id}=`, help: question }));
  },
  async run(app: App, { positionals: [id = ""], options }, out) {
    const { runQuestions } = await import("./work/index.ts");
    return runQuestions(app, { ...options, id }, out);
  },
});
