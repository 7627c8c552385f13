import { defineToolset } from "../../kernel/toolset.ts";
import type { RepositoryServices } from "./ports.ts";
import { tools } from "./tools/index.ts";

export const ticketsToolset = defineToolset<RepositoryServices>({
  name: "tickets",
  title: "Tickets",
  guidance:
    "Call get_repository_context before starting work, to know the branch, what is changed and which files there are.",
  tools,
  prompts: [],
  resources: [],
});
