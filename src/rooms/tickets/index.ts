import { defineToolset } from "../../kernel/toolset.ts";
import type { RepositoryServices } from "./ports.ts";
import { getRepositoryContext } from "./tools/get-repository-context.ts";

export const ticketsToolset = defineToolset<RepositoryServices>({
  name: "tickets",
  title: "Tickets and the repository they are about",
  guidance:
    "Call get_repository_context before starting work, to know the branch, what is changed and which files there are.",
  tools: [getRepositoryContext],
  prompts: [],
  resources: [],
});
