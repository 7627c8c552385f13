import { escapeGlob } from "../../../commons/patterns/glob.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { invariantsFile, parsePolicy } from "../check/policy.ts";
import { ProjectTree } from "../check/project-tree.ts";
import { ScanCache } from "../check/scan/scan-cache.ts";
import { scanTree } from "../check/scan/scan-tree.ts";
import { starterTexts } from "../guides/starter-texts.ts";
import { type ContractName, contractFiles, contractNames, contractsFolder } from "../model/contract-names.ts";
import type { GovernanceServices } from "../model/services.ts";
import { type RepositoryFacts, readRepositoryFacts } from "./repository-facts.ts";
import { suggestLayers } from "./starter-layers.ts";

const maxApiPaths = 60;
const maxApiBytes = 1_048_576;

export type WrittenStarters = { written: string[]; kept: string[] };

/** Writes first versions of contracts, from what the repository shows. A file that exists is never changed. */
export async function writeStarters(
  { root, git, check, policyEditor }: Pick<GovernanceServices, "root" | "git" | "check" | "policyEditor">,
  names: readonly ContractName[],
  call: Pick<Call, "signal" | "report">,
): Promise<WrittenStarters> {
  const tree = await ProjectTree.read(root, git, call.signal);
  const facts = await readRepositoryFacts(tree);
  const folder = SafeRoot.at(root).within("Forge");
  const result: WrittenStarters = { written: [], kept: [] };
  for (const name of names.length === 0 ? contractNames : names) {
    const path = `${contractsFolder}/${contractFiles[name]}`;
    const text = await makeStarter(name, facts, tree, call.signal);
    const isNew = await writeIfAbsent(folder, `Contracts/${contractFiles[name]}`, text);
    (isNew ? result.written : result.kept).push(path);
  }
  if (!tree.paths.includes(invariantsFile)) {
    await recordFirst({ check, policyEditor }, call);
    result.written.push(invariantsFile);
  } else result.kept.push(invariantsFile);
  return result;
}

export async function makeStarter(
  name: ContractName,
  facts: RepositoryFacts,
  tree: ProjectTree,
  signal: AbortSignal,
): Promise<string> {
  if (name === "boundaries") return makeBoundaries(facts, tree, signal);
  return name === "physics" ? makePhysics(facts, tree) : starterTexts[name](facts);
}

/** What the repository violates today becomes the baseline. */
async function makeBoundaries(facts: RepositoryFacts, tree: ProjectTree, signal: AbortSignal): Promise<string> {
  const layers = suggestLayers(tree.paths, facts);
  const description =
    layers.length > 0
      ? "Layers suggested by folder names. Edit them until they say what you mean."
      : "No layers were suggested. Add one with a name, a glob, and what is forbidden in its files.";
  const content = { description, layers, known_violations: [] };
  const policy = await parsePolicy(undefined, JSON.stringify(content));
  const { violations } = await scanTree(tree, policy, new ScanCache(), signal);
  const known = new Map(
    violations.map(({ layer, file, rule }) => [`${layer}\n${file}\n${rule}`, { layer, file, pattern: rule }]),
  );
  return `${JSON.stringify({ ...content, known_violations: [...known.values()] }, undefined, 2)}\n`;
}

/** The routes of an API description, where the repository has one. */
async function makePhysics({ name, manifests, apiDescription }: RepositoryFacts, tree: ProjectTree): Promise<string> {
  const [{ stringify }, { parseYaml }] = await Promise.all([
    import("../../../commons/yaml/yaml.ts"),
    import("../../../commons/yaml/parse-yaml.ts"),
  ]);
  const version = manifests.find((manifest) => manifest.version !== undefined)?.version ?? "0.1.0";
  const paths: Record<string, Record<string, { summary: string }>> = {};
  if (apiDescription !== undefined) {
    try {
      const described = parseYaml(tree.text(apiDescription, maxApiBytes) ?? "", { maxBytes: maxApiBytes }).value;
      const given = isRecord(described) && isRecord(described["paths"]) ? described["paths"] : {};
      for (const [path, item] of Object.entries(given).slice(0, maxApiPaths)) paths[path] = methodsOf(item);
    } catch {
      // One that cannot be read is as good as none.
    }
  }
  const note =
    Object.keys(paths).length > 0
      ? `# The routes of ${apiDescription}. Keep both in step.\n`
      : "# The interfaces that must not break: one entry for each route, with its request and response.\n";
  const info = { title: name, version, description: "What callers rely on." };
  return note + stringify({ info, paths });
}

function methodsOf(item: unknown): Record<string, { summary: string }> {
  const methods = isRecord(item) ? Object.entries(item) : [];
  return Object.fromEntries(
    methods.flatMap(([method, operation]) => {
      if (!/^(?:get|post|put|patch|delete)$/.test(method) || !isRecord(operation)) return [];
      const { summary, operationId } = operation;
      return [[method, { summary: String(summary ?? operationId ?? "").slice(0, 200) }]];
    }),
  );
}

async function recordFirst(
  { check, policyEditor }: Pick<GovernanceServices, "check" | "policyEditor">,
  call: Pick<Call, "signal" | "report">,
): Promise<void> {
  // The file itself is one of those that are counted.
  await policyEditor.setRecorded({});
  const { invariants, commit, syntax_errors: faults } = await check.check({ mode: "full" }, call);
  const at = new Date().toISOString();
  const recorded = invariants.flatMap(({ name, value, constraint, source }) =>
    value === null || constraint !== "monotonic_up" || source !== "files"
      ? []
      : [[name, { value, ...(commit !== undefined && { commit }), at }]],
  );
  // Below tests, such files are there to be tested on.
  const exclude = faults.map(({ file }) => file).filter((file) => testData.test(file));
  await policyEditor.setRecorded(Object.fromEntries(recorded), {
    exclude: exclude.slice(0, maxExcluded).map(escapeGlob),
  });
}

const testData = /(?:^|\/)(?:tests?|__tests__|specs?|examples?|samples?)\//i;
const maxExcluded = 200;

async function writeIfAbsent(folder: SafeRoot, path: string, text: string): Promise<boolean> {
  if (await folder.stat(path)) return false;
  try {
    await folder.write(path, text, { state: "absent" });
    return true;
  } catch (error) {
    if (error instanceof ForgeError && error.code === "CONFLICT_ERROR") return false;
    throw error;
  }
}
