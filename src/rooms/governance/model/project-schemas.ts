import * as z from "zod";
import { limits } from "./limits.ts";
import { buildId, idText, line, longText, projectContractType, projectId, sessionId } from "./schemas.ts";

export const ofProject = {
  project_id: projectId.optional().describe("Default: the session's"),
  session_id: sessionId,
};
export const ofBuild = {
  build_id: buildId.optional().describe("Default: the session's"),
  session_id: sessionId,
};

/** An id of the user's choice; it is part of addresses and command lines. */
export const newProjectId = z
  .string()
  .max(limits.id)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "must be letters, digits, `.`, `_` and `-`, starting with a letter or digit");
export const projectName = idText(limits.name);
export const contractText = z
  .string()
  .min(1)
  .max(limits.contract)
  .refine((text) => !text.includes("\0"), "must be text, without NUL characters");
export const versionNumber = z.number().int().min(1).max(1_000_000);

export const project = z.object({ id: line, name: line, status: line });

export const contractVersion = z.object({
  contract_type: line,
  version: z.number().int(),
  size_chars: z.number().int(),
  updated_at: line,
});

export const projectContext = z.object({
  project,
  contracts: z.array(contractVersion).max(limits.listed),
  latest_batch: z.number().int().nullable(),
  build_count: z.number().int(),
});

export const projectContract = z.object({
  contract_type: projectContractType,
  content: longText,
  version: z.number().int(),
  project_id: line,
  source: z.literal("project_db"),
});

export const buildContracts = z.object({
  build_id: line,
  batch: z.number().int().nullable(),
  pinned_at: line.optional(),
  contracts: z.array(z.object({ contract_type: line, content: longText })).max(limits.listed),
  detail: line.optional(),
});

export const build = z.object({
  build_id: line,
  project_id: line,
  batch: z.number().int(),
  status: z.enum(["open", "closed"]),
  pinned_at: line,
  closed_at: line.optional(),
  contracts: z.number().int(),
});

export const historyEntry = z.object({
  version: z.number().int(),
  size_chars: z.number().int(),
  created_at: line,
  created_by: line,
});
