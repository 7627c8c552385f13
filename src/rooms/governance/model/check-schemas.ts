import * as z from "zod";
import { constraint, longText } from "./schemas.ts";

/** More than any project could act on; a check lists no more. */
export const maxFindings = 100_000;

const severity = z.enum(["error", "warning", "off"]);

const judgedInvariant = z.object({
  name: longText,
  constraint,
  severity,
  value: z.number().nullable(),
  expected: z.number(),
  source: longText,
  status: z.enum(["held", "broken", "warning", "waived", "not_measured"]),
  message: longText.optional(),
});

const judgedViolation = z.object({
  layer: longText,
  file: longText,
  line: z.number().int(),
  rule: longText,
  kind: z.enum(["pattern", "import"]),
  reason: longText,
  status: z.enum(["new", "known", "waived"]),
});

export const checkResult = z.object({
  status: z.enum(["passed", "failed"]),
  since: longText.optional(),
  commit: longText.optional(),
  invariants: z.array(judgedInvariant).max(maxFindings),
  layers: z.array(z.object({ name: longText, files: z.number().int() })).max(maxFindings),
  incomplete: z.array(longText).max(maxFindings).optional().describe("Rules about files that could not be read"),
  violations: z.array(judgedViolation).max(maxFindings),
  fixed_violations: z
    .array(z.object({ layer: longText, file: longText, pattern: longText.optional() }))
    .max(maxFindings),
  syntax_errors: z.array(z.object({ file: longText, line: z.number().int(), message: longText })).max(maxFindings),
  expired_waivers: z
    .array(
      z.object({
        rule: longText,
        file: longText.optional(),
        reason: longText,
        by: longText,
        until: longText,
        expired: z.literal(true),
      }),
    )
    .max(maxFindings),
  warnings: z.array(longText).max(maxFindings),
  omitted: z.number().int().optional(),
});

export const since = z.string().min(1).max(500).optional();

export const reports = z
  .array(z.string().max(64 * 1_048_576))
  .max(100)
  .optional()
  .describe("JUnit XML reports, each after a line that says `backend FILE` or `frontend FILE`");
