import { ForgeError } from "../../../kernel/errors.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { ProjectTree } from "../check/project-tree.ts";
import { type ContractName, contractFiles, contractsFolder } from "../model/contract-names.ts";
import { limits } from "../model/limits.ts";
import type { GovernanceServices } from "../model/services.ts";
import { readRepositoryFacts } from "../starters/repository-facts.ts";
import { makeStarter } from "../starters/write-starters.ts";
import { parseContract } from "./parse-contract.ts";

/** A contract's file as it is; the first version of one that does not exist. */
export async function readContractText(
  { root, git }: Pick<GovernanceServices, "root" | "git">,
  name: ContractName,
  signal: AbortSignal,
): Promise<{ text: string; sha256?: string; file: string }> {
  const file = `${contractsFolder}/${contractFiles[name]}`;
  try {
    const { text, sha256 } = await SafeRoot.at(root).readText(file, { maxBytes: limits.contract });
    return { text, sha256, file };
  } catch (error) {
    if (!(error instanceof ForgeError) || error.code !== "NOT_FOUND") throw error;
    const tree = await ProjectTree.read(root, git, signal);
    return { text: await makeStarter(name, await readRepositoryFacts(tree), tree, signal), file };
  }
}

/** One that does not parse is saved with a warning: it is the user's file. */
export async function saveContractText(
  { root }: Pick<GovernanceServices, "root">,
  { name, text, sha256 }: { name: ContractName; text: string; sha256?: string | undefined },
): Promise<{ file: string; warnings?: string[] }> {
  const filename = contractFiles[name];
  const { warnings } = await parseContract(name, text);
  const expected = sha256 === undefined ? ({ state: "absent" } as const) : { sha256 };
  await SafeRoot.at(root).within("Forge").write(`Contracts/${filename}`, text, expected);
  return { file: `${contractsFolder}/${filename}`, ...(warnings && { warnings }) };
}
