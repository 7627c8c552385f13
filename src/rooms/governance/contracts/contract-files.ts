import { join } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Contract, ContractEntry, ContractSource } from "../model/contract.ts";
import { type ContractName, contractFiles, contractNames, contractsFolder, formatOf } from "../model/contract-names.ts";
import { contractNotFound, unreadableContract } from "../model/errors.ts";
import { limits } from "../model/limits.ts";
import { parseContract } from "./parse-contract.ts";
import { readInvariants } from "./read-invariants.ts";

const cacheMs = 300_000;
/** A file written as recently as this may be written again without its time changing. */
const settledMs = 1_000;

type Stamp = string | undefined;
type CachedContract = { stamp: string; readAt: number; contract: Contract };

/** The contracts in a project's `Forge/Contracts/`. Parsed ones are kept for five minutes, while their files are unchanged. */
export class ContractFiles implements ContractSource {
  readonly #root: string;
  readonly #now: () => number;
  /** One entry for each name at most. */
  readonly #cache = new Map<ContractName, CachedContract>();

  constructor(root: string, now: () => number = Date.now) {
    this.#root = root;
    this.#now = now;
  }

  async get(name: ContractName): Promise<Contract> {
    const stamp = this.stampOf(name);
    if (stamp === undefined) {
      this.#cache.delete(name);
      throw contractNotFound(name);
    }
    const cached = this.#cache.get(name);
    if (cached && cached.stamp === stamp && this.#now() - cached.readAt < cacheMs) return cached.contract;
    const contract = await this.#read(name);
    if (isSettled(stamp, this.#now())) this.#cache.set(name, { stamp, readAt: this.#now(), contract });
    else this.#cache.delete(name);
    return contract;
  }

  async list(): Promise<ContractEntry[]> {
    return contractNames.map((name) => ({
      name,
      filename: contractFiles[name],
      format: formatOf(name),
      available: this.stampOf(name) !== undefined,
    }));
  }

  invariants() {
    return readInvariants(this.#root);
  }

  /** Changes with every write of the file; undefined where there is none. */
  stampOf(name: ContractName): Stamp {
    const entry = entryAt(join(this.#root, contractsFolder, contractFiles[name]));
    if (!entry) return undefined;
    return `${entry.mtimeMs} ${entry.ctimeMs} ${entry.size} ${entry.ino}`;
  }

  async #read(name: ContractName): Promise<Contract> {
    const filename = contractFiles[name];
    const path = `${contractsFolder}/${filename}`;
    const format = formatOf(name);
    const text = await this.#readText(name, path);
    const { content, warning } = await parseContract(text, format, filename);
    return { name, filename, format, content, ...(warning !== undefined && { warnings: [warning] }) };
  }

  async #readText(name: ContractName, path: string): Promise<string> {
    try {
      return (await SafeRoot.at(this.#root).readText(path, { maxBytes: limits.contract })).text;
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      if (error.code === "NOT_FOUND") throw contractNotFound(name);
      throw error.code === "VALIDATION_ERROR" ? unreadableContract(path, error.message) : error;
    }
  }
}

/** Whether the file's time is old enough that another write would change it. */
export function isSettled(stamp: string, now: number): boolean {
  const [written = 0, changed = 0] = stamp.split(" ").map(Number);
  return now - Math.max(written, changed) > settledMs;
}
