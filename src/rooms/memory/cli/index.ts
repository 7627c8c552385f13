import type { App } from "../../../commons/cli/app.ts";
import { type Command, defineGroup } from "../../../kernel/definitions/command.ts";
import { embed, exportFile, forget, importFile, list, recall, remember } from "./memories.ts";
import { agent, context, museum, record, sessions, verify, workflow } from "./project.ts";

const memory = defineGroup<App>({
  name: "memory",
  summary: "Remember, recall, and read a BMAD project",
  examples: [
    ['forge memory recall "how do we sign releases"', "Search the memories."],
    ["forge memory context", "What the BMAD files say."],
  ],
  group: "look",
});

/** In the order of the help. */
export const commands: Command<App>[] = [
  memory,
  ...[recall, remember, list, forget, importFile, exportFile, embed],
  ...[context, agent, workflow, sessions, museum, record, verify],
];
