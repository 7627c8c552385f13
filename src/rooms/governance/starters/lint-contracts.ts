import { compileGlob } from "../../../commons/patterns/glob.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { findClosest } from "../../../kernel/text/closest.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { builtInInvariants } from "../check/built-in.ts";
import { boundariesFile, invariantsFile, type Policy } from "../check/policy.ts";
import { ProjectTree } from "../check/project-tree.ts";
import { contractFiles, contractsFolder } from "../model/contract-names.ts";
import type { GovernanceServices } from "../model/services.ts";

export type LintProblem = { file: string; severity: "error" | "warning"; message: string };

/** Finds what is wrong with a project's contracts and rules, all of it at once. */
export async function lintContracts(
  { root, git, contracts, check }: Pick<GovernanceServices, "root" | "git" | "contracts" | "check">,
  { signal }: Pick<Call, "signal">,
): Promise<LintProblem[]> {
  const problems: LintProblem[] = [];
  for (const { name, available } of await contracts.list(signal)) {
    if (!available) continue;
    const file = `${contractsFolder}/${contractFiles[name]}`;
    try {
      const { warnings = [], content } = await contracts.get(name, signal);
      for (const message of warnings) problems.push({ file, severity: "error", message });
      if (typeof content === "string" && content.trim() === "")
        problems.push({ file, severity: "warning", message: "It is empty." });
    } catch (error) {
      problems.push({ file, severity: "error", message: messageOf(error) });
    }
  }
  problems.push(...(await findStrangers(root)));
  const policy = await readPolicy(check, problems);
  if (policy) problems.push(...(await lintPolicy(policy, await ProjectTree.read(root, git, signal))));
  return problems;
}

async function readPolicy(check: GovernanceServices["check"], problems: LintProblem[]): Promise<Policy | undefined> {
  try {
    const policy = await check.readPolicy();
    for (const message of policy.warnings) problems.push({ file: boundariesFile, severity: "warning", message });
    return policy;
  } catch (error) {
    const file = error instanceof ForgeError ? error.details?.["file"] : undefined;
    problems.push({
      file: typeof file === "string" ? file : invariantsFile,
      severity: "error",
      message: messageOf(error),
    });
    return undefined;
  }
}

/** Files that no contract is read from, most often misspelt. */
async function findStrangers(root: string): Promise<LintProblem[]> {
  const files: string[] = Object.values(contractFiles);
  const { entries } = await SafeRoot.at(root)
    .list(contractsFolder)
    .catch(() => ({ entries: [] }));
  return entries
    .filter(({ name, kind }) => kind === "file" && !files.includes(name))
    .map(({ name }) => {
      const [near] = findClosest(name, files);
      const message = `No contract has this file name.${near === undefined ? "" : ` Did you mean ${near}?`}`;
      return { file: `${contractsFolder}/${name}`, severity: "warning", message };
    });
}

async function lintPolicy({ file, layers, known }: Policy, tree: ProjectTree): Promise<LintProblem[]> {
  const problems: LintProblem[] = [];
  const warn = (where: string, message: string) => problems.push({ file: where, severity: "warning", message });
  for (const { name, globs } of layers) {
    const matchers = await Promise.all(globs.map((glob) => compileGlob(glob)));
    const fits = (path: string) => matchers.some((matches) => typeof matches !== "string" && matches(path));
    if (!tree.paths.some(fits)) warn(boundariesFile, `The layer "${name}" matches no file.`);
  }
  const layerNames = new Set(layers.map(({ name }) => name));
  for (const { layer } of known)
    if (!layerNames.has(layer))
      warn(boundariesFile, `A known violation names the layer "${layer}", which does not exist.`);
  const rules = [
    ...builtInInvariants.map(({ name }) => name),
    ...(file.invariants ?? []).map(({ name }) => name),
    ...[...layerNames].map((name) => `boundary:${name}`),
  ];
  for (const { rule } of file.waivers ?? [])
    if (!rules.includes(rule)) warn(invariantsFile, `A waiver is for "${rule}", which is not a rule of this project.`);
  for (const name of [...Object.keys(file.severity ?? {}), ...Object.keys(file.recorded ?? {})])
    if (!rules.includes(name)) warn(invariantsFile, `"${name}" is not an invariant of this project.`);
  return problems;
}

function messageOf(error: unknown): string {
  if (error instanceof ForgeError) return error.message;
  throw error;
}
