import { createHash } from "node:crypto";
import { join } from "node:path";
import { isRecord } from "../../../../kernel/json.ts";
import { readSmallFile, replaceFile } from "../../../../platform/files/small-file.ts";
import type { LayerRule } from "../policy.ts";

/** What the rules found in one file: the layers it is in, what it adds to invariants, and what breaks a rule. */
export type FileFindings = {
  layers: string[];
  counts: Record<string, number>;
  /** Source code that a rule is about, and that could not be read. */
  isUnread?: true;
  violations: { layer: string; line: number; rule: string; kind: LayerRule["kind"]; reason: string }[];
};

type Fault = { line: number; message: string };
/** `null`: it parses. Absent: it was not looked at. */
export type ScannedFile = { stamp: string; fault?: Fault | null; found?: FileFindings };

const version = 2;
const maxBytes = 128 * 1_048_576;

/**
 * What earlier checks found in files that have not changed since. Parsing 10,000 files takes seconds, looking at their times
 * does not. Kept in Forge's own folder, so that a hook and CI profit as well.
 */
export class ScanCache {
  readonly #path: string | undefined;
  #rules = "";
  #files = new Map<string, ScannedFile>();
  #isLoaded = false;

  /** Without a folder, it is forgotten with the process. */
  constructor(stateDir?: string) {
    this.#path = stateDir === undefined ? undefined : join(stateDir, "governance-scan.json");
  }

  /** What is known of each file. Under other rules, only whether it parses. */
  open(rules: string): ReadonlyMap<string, ScannedFile> {
    if (!this.#isLoaded && this.#path !== undefined) this.#load(this.#path);
    this.#isLoaded = true;
    const key = createHash("sha256").update(rules).digest("hex");
    if (key !== this.#rules)
      // Another check may be using what there was.
      this.#files = new Map([...this.#files].map(([path, { found: _, ...file }]) => [path, file]));
    this.#rules = key;
    return this.#files;
  }

  /** Replaces what was known; written only where something is new. A folder that cannot be written costs time, not the check. */
  save(files: Map<string, ScannedFile>, hasNews: boolean): void {
    const isSame = !hasNews && files.size === this.#files.size;
    this.#files = files;
    if (isSame || this.#path === undefined) return;
    try {
      replaceFile(this.#path, JSON.stringify({ version, rules: this.#rules, files: [...files] }), 0o600);
    } catch {
      // Read-only, full, or not there.
    }
  }

  #load(path: string): void {
    try {
      const known: unknown = JSON.parse(readSmallFile(path, maxBytes) ?? "null");
      if (!isRecord(known) || known["version"] !== version || !Array.isArray(known["files"])) return;
      if (!known["files"].every(isScanned)) return;
      this.#files = new Map(known["files"]);
      this.#rules = String(known["rules"]);
    } catch {
      // Damaged: everything is looked at again.
    }
  }
}

/** Anyone may have put a file in its place. */
function isScanned(entry: unknown): entry is [string, ScannedFile] {
  if (!Array.isArray(entry) || typeof entry[0] !== "string" || !isRecord(entry[1])) return false;
  const { stamp, fault, found } = entry[1];
  if (typeof stamp !== "string") return false;
  if (isRecord(fault) ? typeof fault["line"] !== "number" || typeof fault["message"] !== "string" : fault) return false;
  if (found === undefined) return true;
  if (!isRecord(found) || !isRecord(found["counts"])) return false;
  const { layers, counts, violations } = found;
  return (
    Array.isArray(layers) &&
    layers.every((name) => typeof name === "string") &&
    Object.values(counts as object).every((count) => typeof count === "number") &&
    Array.isArray(violations) &&
    violations.every(
      (one) =>
        isRecord(one) &&
        typeof one["line"] === "number" &&
        ["layer", "rule", "reason"].every((name) => typeof one[name] === "string") &&
        (one["kind"] === "pattern" || one["kind"] === "import"),
    )
  );
}
