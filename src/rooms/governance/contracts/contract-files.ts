import { join } from "node:path";
import { ForgeError } from "../../../kernel/errors.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { invariantsFile } from "../check/policy.ts";
import type { Contract, ContractEntry, ContractSource, InvariantFacts } from "../model/contract.ts";
import { type ContractName, contractFiles, contractsFolder, listContracts } from "../model/contract-names.ts";
import { contractNotFound, unreadableContract } from "../model/errors.ts";
import { limits } from "../model/limits.ts";
import { parseContract } from "./parse-contract.ts";
import { readInvariants } from "./read-invariants.ts";

const cacheMs = 300_000;
/** A file written as recently as this may be written again without its time changing. */
const settledMs = 1_000;

type Entry = ReturnType<typeof entryAt>;

type Invariants = { invariants: InvariantFacts[]; warnings?: string[] };

/**
 * The contracts in a project's `Forge/Contracts/`. What was read is kept for five minutes, while the file is unchanged
 * (`forge_get_governance` takes a third of the time).
 */
export class ContractFiles implements ContractSource {
  readonly #root: string;
  readonly #now: () => number;
  /** By path: one entry for each contract at most, one for their folder and one for the invariants. */
  readonly #cache = new Map<string, { stamp: string; readAt: number; value: unknown }>();

  constructor(root: string, now: () => number = Date.now) {
    this.#root = root;
    this.#now = now;
  }

  async get(name: ContractName): Promise<Contract> {
    const path = pathOf(name);
    return this.#readCached(path, async (entry) => {
      if (entry === undefined) throw contractNotFound(name);
      return parseContract(name, await this.#readText(name, path));
    });
  }

  /** Which there are changes with their folder. */
  async list(): Promise<ContractEntry[]> {
    return this.#readCached(contractsFolder, async () =>
      listContracts((name) => this.#entry(pathOf(name)) !== undefined),
    );
  }

  async invariants(): Promise<Invariants> {
    return this.#readCached(invariantsFile, () => readInvariants(this.#root));
  }

  #entry(path: string): Entry {
    return entryAt(join(this.#root, path));
  }

  async #readCached<T>(path: string, read: (entry: Entry) => Promise<T>): Promise<T> {
    const entry = this.#entry(path);
    const { mtimeMs = 0, ctimeMs = 0, size = 0, ino = 0 } = entry ?? {};
    const stamp = entry ? `${mtimeMs} ${ctimeMs} ${size} ${ino}` : "";
    const now = this.#now();
    const known = this.#cache.get(path);
    if (known && known.stamp === stamp && now - known.readAt < cacheMs) return known.value as T;
    const value = await read(entry);
    // What a link leads to can change without it.
    const isSettled = now - Math.max(mtimeMs, ctimeMs) > settledMs && !entry?.isSymbolicLink();
    if (isSettled) this.#cache.set(path, { stamp, readAt: now, value });
    else this.#cache.delete(path);
    return value;
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

function pathOf(name: ContractName): string {
  return `${contractsFolder}/${contractFiles[name]}`;
}
