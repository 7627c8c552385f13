import { dirname, join } from "node:path";
import * as z from "zod";
import { defaultLimits, type ResourceLimits } from "../../../platform/exec/limits.ts";
import { realPlace } from "../../../platform/files/real-place.ts";
import { readPinned } from "../../../platform/state/pinned-file.ts";
import { findProject } from "../../../platform/state/project.ts";
import { type PinnedRunnable, pinCommand, type Runnable } from "../../trust/runnable.ts";
import { invalidWorkbenchFile } from "../errors.ts";

/** Words, not a shell command line: `["npm", "run", "test:ci"]`. */
const words = z
  .array(z.string().min(1).max(4_096))
  .min(1)
  .max(200)
  .refine((list) => list.every((word) => !word.includes("\0")), "a NUL character cannot be part of a word");

const workbenchFileSchema = z.strictObject({
  /** Runs all tests, if Forge does not find the right command itself. */
  testCommand: words.optional(),
  /** Sets up a new work tree: `["npm", "ci"]`. */
  setupCommand: words.optional(),
  /** Variables of the caller's environment that would be withheld from tests and set-up: `["NODE_OPTIONS"]`. */
  passEnvironment: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,200}$/))
    .max(100)
    .optional(),
  /** What a process of the tests or the set-up may use. */
  limits: z
    .strictObject({
      cpuSeconds: z.number().int().min(1),
      fileMegabytes: z.number().int().min(1),
      memoryMegabytes: z.number().int().min(64),
      processes: z.number().int().min(10),
    })
    .partial()
    .optional(),
  /** `none`: the tests and the set-up reach nothing but a loopback of their own. */
  network: z.enum(["all", "none"]).optional(),
  finish: z.enum(["merge", "branch"]).optional(),
  isolation: z.enum(["none", "worktree"]).optional(),
});

export type WorkbenchFile = z.output<typeof workbenchFileSchema>;

/** The name that users and error messages use. */
export const workbenchFileName = ".forge/workbench.json";

/**
 * Reads the project's `workbench.json`. It is part of the project's state, so all work trees of a repository share it. A branch
 * brings another only if somebody had git track it all the same. Throws CONFIG_ERROR if it is not valid.
 */
export function readWorkbenchFile(root: string): WorkbenchFile {
  const { stateDir } = findProject(root);
  const folder = realPlace(dirname(stateDir));
  const file = join(stateDir, "workbench.json");
  const read = readPinned(file, [folder]);
  if ("why" in read) {
    if (read.why === "cannot be read (ENOENT)" || read.why === "cannot be read (ENOTDIR)") return {};
    throw invalidWorkbenchFile(file, read.why);
  }
  const parsed = workbenchFileSchema.safeParse(parseJson(file, read.bytes.toString()));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  throw invalidWorkbenchFile(file, `is not as expected: ${at}${issue?.message ?? "unknown"}`);
}

/** The project's own limits where it has some. */
export function resolveLimits(given: WorkbenchFile["limits"] = {}): ResourceLimits {
  const own = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaultLimits(), ...Object.fromEntries(own) };
}

export const networkId = "workbench:network";

/** That commands run without network is part of what a person trusts. */
export function listNetworkSetting(root: string): Runnable[] {
  return readWorkbenchFile(root).network === "none" ? [{ id: networkId, command: ["none"] }] : [];
}

/**
 * The network that commands have by now, where the person trusted them without: git ignores the file that says so, and a pull
 * replaces such a file without a word.
 */
export function findOpenedNetwork(
  root: string,
  approved: Readonly<Record<string, string>>,
): PinnedRunnable | undefined {
  if (approved[networkId] === undefined || readWorkbenchFile(root).network === "none") return undefined;
  return pinCommand(networkId, ["all"]);
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidWorkbenchFile(
      file,
      `is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : "unknown"}`,
    );
  }
}
