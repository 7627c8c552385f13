import * as z from "zod";
import { maxChecks, maxSeen } from "./limits.ts";

/** How the criteria of a ticket are checked, and what the checks showed. */

const maxLine = maxSeen;

const id = z.string().min(1).max(100);
const text = z.string().max(maxLine);
const commit = z.string().regex(/^[0-9a-f]{7,64}$/);
const path = z.string().min(1).max(4_096);
/** A check's file is one of the project: others may have written the check. */
export function isProjectPath(given: string): boolean {
  return !/^[/\\-]|^[A-Za-z]:/.test(given) && !given.split(/[/\\]/).includes("..");
}
const projectPath = path.refine(isProjectPath, { message: "must be a path in the project" });
const count = z.number().int().min(0);
const words = z.array(z.string().min(1).max(4_096)).min(1).max(100);

const checkHow = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("test"), file: projectPath, name: z.string().min(1).max(maxLine) }),
  z.strictObject({ type: z.literal("command"), command: words }),
  z.strictObject({ type: z.literal("file"), path: projectPath, pattern: z.string().min(1).max(1_000).optional() }),
  z.strictObject({
    type: z.literal("figure"),
    command: words,
    pattern: z.string().min(1).max(1_000).describe("Its first group is the number"),
    max: z.number().optional(),
    min: z.number().optional(),
  }),
  z.strictObject({ type: z.literal("invariant"), name: z.string().min(1).max(300) }),
  z.strictObject({ type: z.literal("look"), what: text }),
]);
export type CheckHow = z.output<typeof checkHow>;

export const newCheck = z.strictObject({
  criterion: id,
  how: checkHow,
  expectGreen: z.boolean().optional().describe("It must pass before and after the change"),
  execution: id.optional().describe("The execution it was bound in"),
});
export type NewCheck = z.output<typeof newCheck>;

/** On the tree to be proven. `unknown_origin`: it passed, but on code that may be another tree's. */
const outcomes = ["passed", "failed", "error", "not_found", "ambiguous", "unknown_origin"] as const;
/** On the tree before the change, with the check's own files from after it. */
const baseOutcomes = ["passed", "failed", "error", "not_collected", "not_found"] as const;
export type Outcome = (typeof outcomes)[number];
export type BaseOutcome = (typeof baseOutcomes)[number];

const checkResult = z.strictObject({
  check: id,
  outcome: z.enum(outcomes),
  base: z.enum(baseOutcomes).optional(),
  baseWhy: text.optional().describe("How it failed there"),
  weakened: z.literal(true).optional().describe("As it was before the work, the check fails"),
  changed: z.literal(true).optional().describe("The same work wrote or changed the check"),
  expectGreen: z.literal(true).optional().describe("A person said that it passes before and after the change"),
  why: text,
  run: id.optional().describe("The test run that shows it"),
  ms: count,
  files: z
    .record(path, z.string().max(64))
    .optional()
    .describe("What it depends on, with the git ids of the contents; absent: the complete tree"),
  own: z.string().max(64).optional().describe("The git id of the check's own file"),
});
export type CheckResult = z.output<typeof checkResult>;

/** How the project's rules were kept; those of a layer are `boundary:NAME`. */
export const ruleResult = z.object({
  name: z.string().max(300),
  status: z.enum(["held", "broken", "warning", "waived", "not_measured"]),
  why: text,
});

export const newVerification = z.strictObject({
  commit,
  tree: commit,
  base: commit.optional(),
  clean: z.boolean().describe("In a separate work tree of the commit"),
  results: z.array(checkResult).max(maxChecks),
  rules: z.array(ruleResult).max(1_000).optional().describe("The project's invariants and layers at the commit"),
  machine: z.string().max(200),
});
export type NewVerification = z.output<typeof newVerification>;

export const newWaiver = z.strictObject({
  criterion: id,
  text: text.optional().describe("The criterion's text that the person saw; refused if it has changed since"),
  reason: z.string().trim().min(3).max(1_000),
  until: z.string().max(40),
});

export type Stamp = { by: string; at: string };
/** The commit that a person looked at, and the files that it is about; absent: the complete tree. */
export const lookedAt = z.strictObject({
  commit,
  tree: commit,
  files: z.record(path, z.string().max(64)).optional(),
});
export type LookedAt = z.output<typeof lookedAt>;
type Look = Stamp & { passed: boolean; saw: string; on?: LookedAt };
export type Check = NewCheck & Stamp & { id: string; agent?: string; look?: Look };
/** `ci`: recorded with a token that an admin created for CI. */
export type Verification = NewVerification & Stamp & { id: string; agent?: string; ci?: true };
/** `text`: all that the criterion said when it was waived; waivers of earlier versions do not have it. */
export type Waiver = z.output<typeof newWaiver> & Stamp;
/** A criterion that was removed or reworded, and not by a person at a terminal. Its text was this. */
export type DroppedCriterion = Stamp & { criterion: string; text: string };
