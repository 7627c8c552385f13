import { dirname, join } from "node:path";
import { ForgeError } from "../kernel/errors.ts";
import { isRecord } from "../kernel/json.ts";
import { realPlace } from "../platform/files/real-place.ts";
import { readPinned } from "../platform/state/pinned-file.ts";
import { findProject } from "../platform/state/project.ts";

/** From the least strict to the most. */
export const proofPolicies = ["off", "warn", "required"] as const;
export type ProofPolicy = (typeof proofPolicies)[number];

/** What a project says about its tickets. */
export type ProjectFile = {
  /** Whether a ticket can be completed without proof. */
  proof: ProofPolicy;
  /** A status for each of the project's own words, in the order they are written: `{ "Doing": "CREATED" }`. */
  statuses: Record<string, string>;
};

type Written = { [Key in keyof ProjectFile]?: ProjectFile[Key] };

/** Tracked by git, so that a team shares and reviews it. */
export const trackedProjectFile = "Forge/project.json";

const defaultPolicy: ProofPolicy = "warn";

/**
 * Reads the project's tracked file, and `.forge/project.json`, which each user has for themselves: all work trees share it, and
 * no branch can bring another. The stricter policy of the two counts. Throws CONFIG_ERROR if one is not valid.
 */
export function readProjectFile(root: string): ProjectFile {
  const { stateDir } = findProject(root);
  const project = realPlace(dirname(stateDir));
  const own = readWritten(join(stateDir, "project.json"), project);
  const tracked = readWritten(join(root, trackedProjectFile), realPlace(root));
  return {
    proof: strictest([own.proof, tracked.proof]) ?? defaultPolicy,
    statuses: { ...tracked.statuses, ...own.statuses },
  };
}

/** The policy in the text of a tracked file; undefined if it has none. */
export function readTrackedPolicy(text: string): ProofPolicy | undefined {
  return parseProjectFile(trackedProjectFile, text).proof;
}

export function strictest(policies: readonly (ProofPolicy | undefined)[]): ProofPolicy | undefined {
  return proofPolicies.findLast((policy) => policies.includes(policy));
}

function readWritten(file: string, within: string): Written {
  const read = readPinned(file, [within]);
  if (!("why" in read)) return parseProjectFile(file, read.bytes.toString());
  if (/\((?:ENOENT|ENOTDIR)\)$/.test(read.why)) return {};
  throw invalidProjectFile(file, read.why);
}

function parseProjectFile(file: string, text: string): Written {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalidProjectFile(file, "is not valid JSON");
  }
  if (!isRecord(parsed)) throw invalidProjectFile(file, "must contain one JSON object");
  const { proof, statuses = {}, ...unknown } = parsed;
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw invalidProjectFile(file, `has an unknown setting "${other.slice(0, 64)}"`);
  const policy = proofPolicies.find((known) => known === proof);
  if (!policy && proof !== undefined)
    throw invalidProjectFile(file, `has a "proof" that is none of ${proofPolicies.join(", ")}`);
  if (!isRecord(statuses) || !Object.values(statuses).every((status) => typeof status === "string"))
    throw invalidProjectFile(file, 'has "statuses" that are not words with a status each');
  return { ...(policy && { proof: policy }), statuses: statuses as Record<string, string> };
}

function invalidProjectFile(file: string, why: string): ForgeError {
  return new ForgeError("CONFIG_ERROR", `${file} ${why}.`, {
    details: { file },
    next: ['It looks like {"proof": "required", "statuses": {"Doing": "CREATED"}}. Correct it, or remove it.'],
    quotes: "repository",
  });
}
