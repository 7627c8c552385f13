import type { Git } from "../../platform/git/git.ts";

/** What tools that look at the repository need of the program. */
export type RepositoryServices = {
  git: Git;
  /** The server's working directory. */
  cwd: string;
};
