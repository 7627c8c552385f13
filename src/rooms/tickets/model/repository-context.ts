import * as z from "zod";

/** How much of a repository one answer shows; the rest is counted. */
export const shown = { names: 500, treeLines: 200 };

const longestPath = 4096;
/** A name of that many bytes that is no UTF-8 takes four characters for each. */
const longestShownName = 4 * longestPath + 8;

const name = z.string().max(longestShownName);
const names = z.array(name).max(shown.names);
const count = z.number().int().positive();

export const repositoryPath = z
  .string()
  .min(1)
  .max(longestPath)
  .describe(
    "Absolute path of a folder in the repository; any folder of it will do. Defaults to the server's working directory.",
  );

export const repositoryContext = z.object({
  branch: name.describe("Current branch, or `HEAD (detached at <commit>)`."),
  workingDirectory: name.describe("Absolute path of the work tree's root; every other path here is relative to it."),
  status: z.object({
    modified: names.describe("Changed in the work tree and not staged, deleted and conflicting files included."),
    untracked: names.describe("Not known to git and not ignored."),
    staged: names.describe("Changed in the index since HEAD; a renamed file by its new name."),
  }),
  fileTree: z
    .string()
    .max(shown.treeLines * (longestShownName + 1))
    .describe("Files of the commit at HEAD, one per line; unusual names are C-quoted."),
  omitted: z
    .object({
      modified: count.optional(),
      untracked: count.optional(),
      staged: count.optional(),
      files: count.optional(),
    })
    .optional()
    .describe("How many were left out of a list; absent where all are there."),
});

export type RepositoryContext = z.output<typeof repositoryContext>;
