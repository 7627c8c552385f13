import { ForgeError } from "../../../kernel/errors.ts";
import type { GitRunner } from "../run/runner.ts";

/** Throws if git does not know who the user is: a commit is theirs, and nothing is guessed. */
export async function requireIdentity(runner: GitRunner, signal: AbortSignal): Promise<void> {
  if (!(await knowsAuthor(runner, signal))) throw unknownAuthor(runner);
}

export async function knowsAuthor(runner: GitRunner, signal: AbortSignal): Promise<boolean> {
  const variables = ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"];
  const results = await Promise.all(variables.map((variable) => runner.run("var", [variable], { signal })));
  return results.every(({ code }) => code === 0);
}

function unknownAuthor({ workTree }: GitRunner): ForgeError {
  return new ForgeError(
    "CONFIG_ERROR",
    `git does not know the author of commits in ${workTree}: user.name or user.email is not set.`,
    {
      details: { workTree, missing: ["user.name", "user.email"] },
      next: [
        'The user has to run `git config --global user.name "NAME"`.',
        "The user has to run `git config --global user.email EMAIL`.",
      ],
    },
  );
}
