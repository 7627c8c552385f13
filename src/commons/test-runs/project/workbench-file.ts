import { dirname, join } from "node:path";
import * as z from "zod";
import { ForgeError } from "../../../kernel/errors.ts";
import { realPlace } from "../../../platform/files/real-place.ts";
import { readPinned } from "../../../platform/state/pinned-file.ts";
import { findProject } from "../../../platform/state/project.ts";

/** Words, never a line for a shell: `["npm", "run", "test:ci"]`. */
const words = z
  .array(z.string().min(1).max(4_096))
  .min(1)
  .max(200)
  .refine((list) => list.every((word) => !word.includes("\0")), "a NUL character cannot be part of a word");

const workbenchFileSchema = z.strictObject({
  /** What runs all tests, where Forge would not find it, or not this one. */
  testCommand: words.optional(),
  /** What makes a new work tree ready: `["npm", "ci"]`. */
  setupCommand: words.optional(),
  finish: z.enum(["merge", "branch"]).optional(),
  isolation: z.enum(["none", "worktree"]).optional(),
});

export type WorkbenchFile = z.output<typeof workbenchFileSchema>;

/** The name that people and error messages use. */
export const workbenchFileName = ".forge/workbench.json";

/**
 * What the project's `workbench.json` says. It is kept with the project's state, so all work trees of a repository have the
 * same one, and no branch can bring another. Throws CONFIG_ERROR where it cannot be understood.
 */
export function readWorkbenchFile(root: string): WorkbenchFile {
  const { stateDir } = findProject(root);
  const folder = realPlace(dirname(stateDir));
  const file = join(stateDir, "workbench.json");
  const read = readPinned(file, [folder]);
  if ("why" in read) {
    if (read.why === "cannot be read (ENOENT)" || read.why === "cannot be read (ENOTDIR)") return {};
    throw wrong(file, read.why);
  }
  const parsed = workbenchFileSchema.safeParse(parseJson(file, read.bytes.toString()));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  throw wrong(file, `is not as expected: ${at}${issue?.message ?? "unknown"}`);
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong(file, `is no JSON: ${error instanceof Error ? error.message.slice(0, 200) : "unknown"}`);
  }
}

function wrong(file: string, why: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} ${why}.`, {
    details: { file },
    next: [
      'It may hold "testCommand" and "setupCommand" (lists of words, such as ["npm", "run", "test:ci"]), "finish" ("merge" or "branch") and "isolation" ("none" or "worktree").',
    ],
  });
}
