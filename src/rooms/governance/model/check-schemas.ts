import * as z from "zod";
import { constraint } from "./schemas.ts";

const severity = z.enum(["error", "warning", "off"]);

const judgedInvariant = z.object({
  name: z.string(),
  constraint,
  severity,
  value: z.number().nullable(),
  expected: z.number(),
  source: z.string(),
  status: z.enum(["held", "broken", "warning", "waived", "not_measured"]),
  message: z.string().optional(),
});

const judgedViolation = z.object({
  layer: z.string(),
  file: z.string(),
  line: z.number().int(),
  rule: z.string(),
  kind: z.enum(["pattern", "import"]),
  reason: z.string(),
  status: z.enum(["new", "known", "waived"]),
});

export const checkResult = z.object({
  status: z.enum(["passed", "failed"]),
  since: z.string().optional(),
  commit: z.string().optional(),
  invariants: z.array(judgedInvariant),
  layers: z.array(z.object({ name: z.string(), files: z.number().int() })),
  violations: z.array(judgedViolation),
  fixed_violations: z.array(z.object({ layer: z.string(), file: z.string(), pattern: z.string().optional() })),
  syntax_errors: z.array(z.object({ file: z.string(), line: z.number().int(), message: z.string() })),
  expired_waivers: z.array(
    z.object({
      rule: z.string(),
      file: z.string().optional(),
      reason: z.string(),
      by: z.string(),
      until: z.string(),
      expired: z.literal(true),
    }),
  ),
  warnings: z.array(z.string()),
  omitted: z.number().int().optional(),
});

export const since = z.string().min(1).max(500).optional();
