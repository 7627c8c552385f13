import * as z from "zod";
import { defineTool } from "../../../kernel/tool.ts";
import { repositoryContext, repositoryPath, shown } from "../model/repository-context.ts";
import { readRepositoryContext } from "../service/read-repository-context.ts";
import type { RepositoryServices } from "../service/tickets.ts";

const input = z.object({ path: repositoryPath.optional() });

export const getRepositoryContext = defineTool({
  name: "get_repository_context",
  title: "State of the git repository",
  description: [
    "Call it before starting work and before a commit, to learn which branch is checked out, what is changed and which files there are.",
    "Answers with the branch, the root of the work tree, the modified, untracked and staged files, and the files of the commit at HEAD.",
    "All paths are relative to `workingDirectory`, the root of the work tree, also when `path` is a subfolder.",
    `Each status list shows up to ${shown.names} names and the tree up to ${shown.treeLines} lines; \`omitted\` counts what was left out.`,
    "It only looks: nothing of the repository is run (no hooks, no filters) and nothing is changed. Changes inside submodules are not shown.",
  ].join("\n"),
  effect: "read",
  input,
  output: repositoryContext,
  run: (services: RepositoryServices, { path }, { signal }) => readRepositoryContext(services, path, signal),
});
