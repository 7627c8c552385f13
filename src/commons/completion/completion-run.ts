import * as z from "zod";
import { maxEscapeFactor } from "../../kernel/text/escape-text.ts";

export const stacks = ["go", "typescript", "python", "terraform", "ansible", "docker", "k8s"] as const;

/** Shell scripts are checked too, where the stacks are detected. */
export type Stack = (typeof stacks)[number] | "shell";

/** What programs print is shown with escapes. */
const escapedText = (length: number) => z.string().max(length * maxEscapeFactor);

const checkResult = z.object({
  stack: escapedText(40),
  check: escapedText(200),
  outcome: z.enum(["passed", "failed", "warned", "skipped"]),
  why: escapedText(500).optional(),
  duration_ms: z.number().optional(),
});

export type CheckResult = z.output<typeof checkResult>;

export const maxShownOutput = 12_000;

export const completionRun = z.object({
  id: z.string().max(40),
  status: z.enum(["PASS", "FAIL", "NO_STACK"]),
  output: escapedText(maxShownOutput * 2),
  duration_ms: z.number(),
  ran_by: escapedText(300).describe("The project's script, or Forge's own checks"),
  stacks: z.array(escapedText(40)).max(16),
  checks: z.array(checkResult).max(64),
  working_dir: escapedText(1_024),
  exit_code: z.number().optional(),
});

export type CompletionRun = z.output<typeof completionRun>;
