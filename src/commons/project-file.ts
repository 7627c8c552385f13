import { dirname, join } from "node:path";
import { ForgeError } from "../kernel/errors.ts";
import { isRecord } from "../kernel/json.ts";
import { realPlace } from "../platform/files/real-place.ts";
import { readPinned } from "../platform/state/pinned-file.ts";
import { findProject } from "../platform/state/project.ts";

const proofPolicies = ["off", "warn", "required"] as const;
export type ProofPolicy = (typeof proofPolicies)[number];

/** What a project says about its tickets. */
export type ProjectFile = {
  /** Whether a ticket can be completed without proof. */
  proof: ProofPolicy;
  /** A status for each of the project's own words, in the order they are written: `{ "Doing": "CREATED" }`. */
  statuses: Record<string, string>;
};

/**
 * Reads the project's `.forge/project.json`. It is part of the project's state, outside of git's: all work trees share it, and
 * no branch can bring another. Throws CONFIG_ERROR if it is not valid.
 */
export function readProjectFile(root: string): ProjectFile {
  const { stateDir } = findProject(root);
  const file = join(stateDir, "project.json");
  const read = readPinned(file, [realPlace(dirname(stateDir))]);
  if ("why" in read) {
    if (/\((?:ENOENT|ENOTDIR)\)$/.test(read.why)) return { proof: "warn", statuses: {} };
    throw invalidProjectFile(file, read.why);
  }
  return parseProjectFile(file, read.bytes.toString());
}

function parseProjectFile(file: string, text: string): ProjectFile {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalidProjectFile(file, "is not valid JSON");
  }
  if (!isRecord(parsed)) throw invalidProjectFile(file, "must contain one JSON object");
  const { proof = "warn", statuses = {}, ...unknown } = parsed;
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw invalidProjectFile(file, `has an unknown setting "${other.slice(0, 64)}"`);
  const policy = proofPolicies.find((known) => known === proof);
  if (!policy) throw invalidProjectFile(file, `has a "proof" that is none of ${proofPolicies.join(", ")}`);
  if (!isRecord(statuses) || !Object.values(statuses).every((status) => typeof status === "string"))
    throw invalidProjectFile(file, 'has "statuses" that are not words with a status each');
  return { proof: policy, statuses: statuses as Record<string, string> };
}

function invalidProjectFile(file: string, why: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} ${why}.`, {
    details: { file },
    next: ['It looks like {"proof": "required", "statuses": {"Doing": "CREATED"}}. Correct it, or remove it.'],
  });
}
