import { relative, resolve, sep } from "node:path";
import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { repositoryContext, repositoryPath } from "../model/repository-context.ts";
import { readRepositoryContext } from "../service/read-repository-context.ts";
import type { RepositoryServices } from "../service/tickets.ts";

const input = z.object({ path: repositoryPath.optional() });

export const getRepositoryContext = defineTool({
  name: "get_repository_context",
  title: "State of the git repository",
  description:
    "Call before starting work and before a commit: returns the branch, changed and staged files, and the files at HEAD. `omitted` counts what is left out.",
  effect: "read",
  untrusted: "repository",
  core: true,
  input,
  output: repositoryContext,
  async run(services: RepositoryServices, { path }, call) {
    // Trust in this project says nothing about the names in another.
    if (path !== undefined && isElsewhere(services.cwd, path)) await call.noteUntrusted();
    const context = await readRepositoryContext(services, path, call);
    // A folder of the project can be another repository, or a link to one.
    const own = path === undefined ? undefined : services.git.tryOpen(services.cwd)?.location.workTree;
    if (path !== undefined && context.workingDirectory !== own) await call.noteUntrusted();
    return context;
  },
});

function isElsewhere(cwd: string, path: string): boolean {
  return relative(cwd, resolve(cwd, path)).split(sep)[0] === "..";
}
