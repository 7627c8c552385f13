import * as z from "zod";
import { contractNames, projectContractTypes } from "./contract-names.ts";
import { limits } from "./limits.ts";

/** Names, paths and sentences of ours. */
export const line = z.string().max(limits.line);
/** Texts that come from a contract. */
export const longText = z.string().max(limits.contract);

export const contractName = z.enum(contractNames);
export const projectContractType = z.enum(projectContractTypes);
const format = z.enum(["json", "yaml", "markdown"]);

/** NUL cannot be stored everywhere, and the rest could not be read in a list. */
const printable = /^[^\p{Cc}\p{Cs}]+$/u;
export const idText = (max: number) =>
  z.string().min(1).max(max).regex(printable, "must not contain control characters");

export const projectId = idText(limits.id);
export const buildId = idText(limits.id);
export const sessionId = z
  .string()
  .max(limits.id)
  .optional()
  .describe("From forge_set_session; only without a connection");

export const warnings = z.array(longText).max(1_000).optional();

export const contract = z.object({
  name: contractName,
  filename: line,
  format,
  content: z.unknown(),
  source: line.optional(),
  warnings,
});

export const contractEntry = z.object({
  name: contractName,
  filename: line,
  format,
  available: z.boolean(),
});

export const constraintNames = ["monotonic_up", "monotonic_down", "equal", "non_zero"] as const;
export const constraint = z.enum(constraintNames);

export const invariantList = z.object({
  invariants: z
    .array(z.object({ name: line, constraint, default_value: z.number(), description: longText }))
    .max(1_000),
  constraint_types: z.array(z.object({ name: line, value: constraint })).max(10),
  total: z.number().int(),
  warnings,
});
