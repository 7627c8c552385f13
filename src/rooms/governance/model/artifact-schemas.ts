import * as z from "zod";
import { artifactTypes } from "./artifact.ts";
import { limits } from "./limits.ts";
import { idText, line, projectId } from "./schemas.ts";

export const artifactType = z.enum(artifactTypes);
export const artifactKey = idText(limits.key);
export const artifactRef = z.object({ project_id: projectId, artifact_type: artifactType, key: artifactKey });
export const artifactFilter = z.object({ project_id: projectId, artifact_type: artifactType.optional() });

const age = {
  source: z.enum(["memory", "disk"]),
  age_seconds: z.number().nullable(),
  ttl_remaining_seconds: z.number().nullable(),
  size_chars: z.number().int(),
};

export const artifact = z.object({ ...artifactRef.shape, content: z.unknown(), ...age });

const artifactEntry = z.object({ store_key: line, artifact_type: artifactType, key: line, ...age });

export const ttlHours = z.number().positive().max(limits.ttlHours);

export const storedArtifact = z.object({
  stored: z.boolean(),
  store_key: line,
  artifact_type: artifactType,
  key: line,
  ttl_hours: z.number(),
  size_chars: z.number().int(),
});

export const artifactList = z.object({
  project_id: line,
  artifact_type_filter: artifactType.nullable(),
  count: z.number().int(),
  artifacts: z.array(artifactEntry).max(100_000),
  next_cursor: line.optional(),
});

export const clearedArtifacts = z.object({
  cleared_memory: z.number().int(),
  cleared_disk: z.number().int(),
  project_id: line,
  artifact_type: artifactType.nullable(),
});
