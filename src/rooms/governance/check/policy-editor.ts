import { isDeepStrictEqual } from "node:util";
import { ForgeError } from "../../../kernel/errors.ts";
import { isRecord } from "../../../kernel/json.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import { contractFiles } from "../model/contract-names.ts";
import { listOf, tableOf } from "../model/json-parts.ts";
import { limits } from "../model/limits.ts";
import { invalidPolicy, recordedMeanwhile } from "./errors.ts";
import {
  boundariesFile,
  invariantsFile,
  type KnownViolation,
  type PolicyFile,
  parsePolicyFile,
  type Waiver,
} from "./policy.ts";

type Recorded = NonNullable<PolicyFile["recorded"]>;

/** An invariant may be named like something that every object has. */
function ownOf(table: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Writes the files that hold a project's limits, waivers and known violations. What it does not know stays as it is. */
export class PolicyEditor {
  readonly #root: SafeRoot;
  /** `Forge/` is protected against assistants' file tools; this is the part of Forge that owns it. */
  readonly #folder: SafeRoot;

  constructor(root: string) {
    this.#root = SafeRoot.at(root);
    this.#folder = this.#root.within("Forge");
  }

  /**
   * `exclude`: files that are not checked for syntax errors from now on. `instead`: the values that these were compared with; nothing
   * is written if one of them is another by now.
   */
  async setRecorded(
    recorded: Recorded,
    { exclude = [], instead }: { exclude?: readonly string[]; instead?: Recorded } = {},
  ): Promise<void> {
    await this.#edit((policy) => {
      const before = tableOf(policy["recorded"]);
      const isOther = (name: string) => !isDeepStrictEqual(ownOf(before, name), ownOf(instead ?? {}, name));
      if (instead && Object.keys(recorded).some(isOther)) throw recordedMeanwhile();
      return {
        ...policy,
        ...(exclude.length > 0 && { exclude: [...listOf(policy["exclude"]), ...exclude] }),
        recorded: { ...before, ...recorded },
      };
    });
  }

  async addWaiver(waiver: Waiver): Promise<void> {
    await this.#edit((policy) => {
      const others = listOf(policy["waivers"]).filter(
        (item) => !isRecord(item) || item["rule"] !== waiver.rule || item["file"] !== waiver.file,
      );
      return { ...policy, waivers: [...others, waiver] };
    });
  }

  /** Takes what is no longer violated off the list of known violations. */
  async dropKnown(fixed: readonly KnownViolation[]): Promise<void> {
    if (fixed.length === 0) return;
    const { text, sha256 } = await this.#root.readText(boundariesFile, { maxBytes: limits.contract });
    const content: unknown = JSON.parse(text);
    if (!isRecord(content)) return;
    const isFixed = (item: unknown) =>
      isRecord(item) &&
      fixed.some(
        ({ layer, file, pattern }) => item["layer"] === layer && item["file"] === file && item["pattern"] === pattern,
      );
    const known = listOf(content["known_violations"]).filter((item) => !isFixed(item));
    const next = `${JSON.stringify({ ...content, known_violations: known }, undefined, 2)}\n`;
    await this.#folder.write(`Contracts/${contractFiles.boundaries}`, next, { sha256 });
  }

  async #edit(change: (policy: Record<string, unknown>) => Record<string, unknown>): Promise<void> {
    const known = await this.#read();
    const text = `${JSON.stringify(change(known?.content ?? {}), undefined, 2)}\n`;
    await parsePolicyFile(text);
    await this.#folder.write("invariants.json", text, known ? { sha256: known.sha256 } : { state: "absent" });
  }

  async #read(): Promise<{ content: Record<string, unknown>; sha256: string } | undefined> {
    try {
      const { text, sha256 } = await this.#root.readText(invariantsFile, { maxBytes: limits.contract });
      await parsePolicyFile(text);
      const content: unknown = JSON.parse(text);
      if (!isRecord(content)) throw invalidPolicy(invariantsFile, "it must be an object");
      return { content, sha256 };
    } catch (error) {
      if (error instanceof ForgeError && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }
}
