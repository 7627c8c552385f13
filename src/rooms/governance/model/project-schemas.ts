import * as z from "zod";
import { limits } from "./limits.ts";
import { buildId, idText, projectContractType, projectId, sessionId } from "./schemas.ts";

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
export const contractText = z.string().min(1).max(limits.contract);
export const versionNumber = z.number().int().min(1).max(1_000_000);

export const project = z.object({ id: z.string(), name: z.string(), status: z.string() });

export const contractVersion = z.object({
  contract_type: z.string(),
  version: z.number().int(),
  size_chars: z.number().int(),
  updated_at: z.string(),
});

export const projectContext = z.object({
  project,
  contracts: z.array(contractVersion),
  latest_batch: z.number().int().nullable(),
  build_count: z.number().int(),
});

export const projectContract = z.object({
  contract_type: projectContractType,
  content: z.string(),
  version: z.number().int(),
  project_id: z.string(),
  source: z.literal("project_db"),
});

export const buildContracts = z.object({
  build_id: z.string(),
  batch: z.number().int().nullable(),
  pinned_at: z.string().optional(),
  contracts: z.array(z.object({ contract_type: z.string(), content: z.string() })),
  detail: z.string().optional(),
});

export const build = z.object({
  build_id: z.string(),
  project_id: z.string(),
  batch: z.number().int(),
  status: z.enum(["open", "closed"]),
  pinned_at: z.string(),
  closed_at: z.string().optional(),
  contracts: z.number().int(),
});

export const historyEntry = z.object({
  version: z.number().int(),
  size_chars: z.number().int(),
  created_at: z.string(),
  created_by: z.string(),
});
