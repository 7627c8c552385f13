import { ForgeError } from "../../../kernel/errors.ts";
import { excerpt } from "../../../kernel/text/excerpt.ts";
import type { ArtifactRef } from "../model/artifact.ts";

export function artifactNotFound({ project_id, artifact_type, key }: ArtifactRef): ForgeError {
  return new ForgeError(
    "NOT_FOUND",
    `Project "${excerpt(project_id)}" has no ${artifact_type} artifact "${excerpt(key)}". It may have expired.`,
    {
      details: { project_id, artifact_type, key },
      next: [{ tool: "forge_list_artifacts", input: { project_id, artifact_type }, why: "to see what is stored" }],
    },
  );
}

export function artifactTooLarge(size: number, max: number): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `The content is too large: ${size} characters as JSON; the limit is ${max}.`,
    {
      details: { size, max },
      next: ["Store it in several artifacts, or store the path of a file that has it."],
    },
  );
}

export function notJson(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "The content is missing or is not a JSON value.", {
    next: ["Pass a string, number, boolean, null, list or object as content."],
  });
}

export function artifactChanged({ project_id, artifact_type, key }: ArtifactRef): ForgeError {
  return new ForgeError(
    "CONFLICT_ERROR",
    `The ${artifact_type} artifact "${excerpt(key)}" was changed at the same moment, so it was not replaced.`,
    { details: { project_id, artifact_type, key }, next: ["Read it again, and store yours if it is still wanted."] },
  );
}

/** Nothing that is stored is dropped to make space. */
export function projectFull(project: string, max: number, unit: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `Nothing was stored: project "${excerpt(project)}" has reached its limit of ${max} ${unit}.`,
    {
      details: { project_id: project, max, unit },
      next: [
        { tool: "forge_list_artifacts", input: { project_id: project }, why: "to see what is stored" },
        "Ask the user which artifacts can be cleared, or store less with a shorter ttl_hours.",
      ],
    },
  );
}
