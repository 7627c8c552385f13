import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";
import { priorities, ticketTypes } from "../model/limits.ts";
import { ticketSettings } from "./ticket-argument.ts";

export const create = defineCommand({
  name: "create",
  summary: "Write a new ticket",
  details:
    "Prints the new ticket's id. Without a title, on a terminal, it asks for one and for what must be true when the work is " +
    "done. `forge edit` writes the rest in your editor; `forge import` takes whole tickets from files.",
  examples: [
    ["forge create", "Asked for line by line."],
    ['forge create "Keep people signed in" --criterion "A reload keeps it."', "A draft."],
    ['forge create "Drop the old API" --file delete:src/v1.ts --status ready', "Ready for an assistant."],
  ],
  arguments: [{ name: "title", required: false, help: "What will be different, in one line." }],
  options: {
    description: { type: "string", help: "More about it." },
    problem: { type: "string", help: "What is wrong or missing today, and for whom." },
    solution: { type: "string", help: "How it will be solved." },
    criterion: { type: "list", help: "What must be true when it is done: one sentence that can be checked." },
    file: {
      type: "list",
      value: "[ACTION:]PATH",
      help: "A file it may touch: create:, modify: (as without) or delete:.",
    },
    type: { type: "string", choices: ticketTypes, help: "What kind of work it is." },
    priority: { type: "string", choices: priorities, help: "How much it presses." },
    assignee: { type: "string", value: "NAME", help: "Whose it is." },
    status: { type: "string", help: "Where it begins, if not as a draft: what a draft can become." },
  },
  settings: ticketSettings,
  group: "tickets",
  async complete(_app: App, { option }) {
    if (option !== "status") return [];
    const { draftStatuses } = await import("./work/index.ts");
    return draftStatuses().map((value) => ({ value }));
  },
  async run(app: App, { positionals: [title], options }, out) {
    const { runCreate } = await import("./work/index.ts");
    return runCreate(app, { ...options, title }, out);
  },
});
