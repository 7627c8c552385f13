import * as z from "zod";
import { contractNames, projectContractTypes } from "./contract-names.ts";
import { limits } from "./limits.ts";

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

export const warnings = z.array(z.string()).optional();

export const contract = z.object({
  name: contractName,
  filename: z.string(),
  format,
  content: z.unknown(),
  source: z.string().optional(),
  warnings,
});

export const contractEntry = z.object({
  name: contractName,
  filename: z.string(),
  format,
  available: z.boolean(),
});

export const constraintNames = ["monotonic_up", "monotonic_down", "equal", "non_zero"] as const;
export const constraint = z.enum(constraintNames);

export const invariantList = z.object({
  invariants: z.array(z.object({ name: z.string(), constraint, default_value: z.number(), description: z.string() })),
  constraint_types: z.array(z.object({ name: z.string(), value: constraint })),
  total: z.number().int(),
  warnings,
});
