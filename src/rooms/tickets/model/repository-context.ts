import * as z from "zod";

/** How much of a repository one answer contains; the rest is counted. */
export const maxShown = { names: 500, treeLines: 200 };

const maxPath = 4096;
/** A byte that is not UTF-8 is shown as four characters. */
const maxShownName = 4 * maxPath + 8;

const name = z.string().max(maxShownName);
const names = z.array(name).max(maxShown.names);
const count = z.number().int().positive();

export const repositoryPath = z
  .string()
  .min(1)
  .max(maxPath)
  .describe("Absolute path in it; default: the working directory");

export const repositoryContext = z.object({
  branch: name.describe("Current branch, or `HEAD (detached at <commit>)`."),
  workingDirectory: name.describe("Absolute path of the work tree's root. All other paths are relative to it."),
  status: z.object({
    modified: names.describe("Changed in the work tree but not staged, including deleted and conflicting files."),
    untracked: names.describe("Neither tracked nor ignored by git."),
    staged: names.describe("Changed in the index since HEAD. A renamed file has its new name."),
  }),
  fileTree: z
    .string()
    .max(maxShown.treeLines * (maxShownName + 1))
    .describe("Files of the commit at HEAD, one per line; unusual names are C-quoted."),
  omitted: z
    .object({
      modified: count.optional(),
      untracked: count.optional(),
      staged: count.optional(),
      files: count.optional(),
    })
    .optional()
    .describe("How many entries were left out of each list; absent where none were."),
});

export type RepositoryContext = z.output<typeof repositoryContext>;
