import type { TestService } from "../../../commons/test-runs/index.ts";
import type { TestRunStore } from "../../../commons/test-runs/test-run-store.ts";
import type { Trust } from "../../../commons/trust/index.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import { SafeRoot } from "../../../platform/files/root/safe-root.ts";
import type { Git } from "../../../platform/git/git.ts";
import { maxFindings } from "../model/check-schemas.ts";
import { limits } from "../model/limits.ts";
import { countMigrations } from "./counts/count-migrations.ts";
import { TestCounter } from "./counts/test-counter.ts";
import { findSides, readSideTexts, type SideFolders, sides, type TestReport } from "./counts/test-counts.ts";
import { notInGit, unknownRevision } from "./errors.ts";
import {
  type ExpiredWaiver,
  type JudgedInvariant,
  type JudgedViolation,
  judgeInvariant,
  judgeViolations,
  type Measured,
  WaiverList,
} from "./judge.ts";
import type { MeasurementStore } from "./measurement-store.ts";
import {
  boundariesFile,
  invariantsFile,
  type KnownViolation,
  listInvariants,
  type Policy,
  parsePolicy,
} from "./policy.ts";
import { listCommitNames, ProjectTree, readCommitText } from "./project-tree.ts";
import { runInvariantCommand } from "./run-invariant-command.ts";
import { describeUnread } from "./scan/describe-unread.ts";
import { ScanCache } from "./scan/scan-cache.ts";
import { type ScanResult, scanTree } from "./scan/scan-tree.ts";
import type { SyntaxFault } from "./syntax/check-syntax.ts";

export type CheckRequest = {
  /** A commit, branch or tag whose rules and values count. */
  since?: string | undefined;
  /** Static: files and stored evidence only; nothing is run. */
  mode: "static" | "full";
  /** Runs the tests rather than looking for an earlier run of the same files. */
  runTests?: boolean | undefined;
  reports?: readonly TestReport[] | undefined;
  /** In a static check: the project's own invariants whose commands are run all the same. */
  commands?: readonly string[] | undefined;
};

export type CheckResult = {
  status: "passed" | "failed";
  since?: string;
  commit?: string;
  invariants: JudgedInvariant[];
  layers: { name: string; files: number }[];
  /** Rules that are about files that were not read: layers as `boundary:NAME`, and invariants. */
  incomplete?: string[];
  violations: JudgedViolation[];
  fixed_violations: KnownViolation[];
  syntax_errors: SyntaxFault[];
  expired_waivers: ExpiredWaiver[];
  warnings: string[];
};

export type GovernanceCheckOptions = {
  root: string;
  /** Where test runs of the same files are recorded, if not in `root`. */
  runsIn?: string;
  /** Without a folder, what was found in files is forgotten with the process. */
  stateDir: string | undefined;
  git: Git;
  trust: Pick<Trust, "require">;
  tests(): Promise<{ service: Pick<TestService, "run">; runs: Pick<TestRunStore, "latest"> }>;
  measurements: MeasurementStore;
  now?: () => number;
};

/** Measures a project's invariants and boundaries, and compares them with its rules. */
export class GovernanceCheck {
  readonly #options: GovernanceCheckOptions;
  readonly #cache: ScanCache;
  readonly #tests: TestCounter;

  constructor(options: GovernanceCheckOptions) {
    this.#options = options;
    this.#cache = new ScanCache(options.stateDir);
    this.#tests = new TestCounter(options);
  }

  async check(request: CheckRequest, call: Pick<Call, "signal" | "report">): Promise<CheckResult> {
    const { root, git } = this.#options;
    const { signal } = call;
    const base = request.since === undefined ? undefined : await this.#base(request.since, signal);
    const policy = base?.policy ?? (await this.readPolicy());
    const tree = await ProjectTree.read(root, git, signal);
    call.report({ progress: 1, message: `checking ${tree.paths.length} files` });
    const scan = await scanTree(tree, policy, this.#cache, signal);
    const warnings = [...policy.warnings, ...describeUnread(scan.unread)];
    await this.#checkOtherLanguages(tree, scan, request.mode, warnings, signal);
    const texts = base?.sideTexts ?? (await readSideTexts((path, maxBytes) => tree.text(path, maxBytes)));
    const rules = { policy, folders: findSides(root, texts) };
    const measured = await this.#measure(tree, scan, rules, request, call, warnings);
    const waivers = new WaiverList(policy.file.waivers ?? [], this.#today());
    const recorded = { ...base?.counted, ...policy.file.recorded };
    const invariants = listInvariants(policy.file).map((invariant) =>
      judgeInvariant(invariant, measured.get(invariant.name), { recorded }, waivers),
    );
    const { violations, fixed } = judgeViolations(scan.violations, policy.known, waivers);
    const isBroken =
      invariants.some(({ status }) => status === "broken") ||
      violations.some(({ status }) => status === "new") ||
      waivers.expired.length > 0;
    const commit = request.mode === "full" ? await this.#record(measured, signal) : undefined;
    return {
      status: isBroken ? "failed" : "passed",
      ...(base && { since: base.commit }),
      ...(commit !== undefined && { commit }),
      invariants,
      layers: scan.layers,
      ...(scan.incomplete.length > 0 && { incomplete: scan.incomplete.slice(0, maxFindings) }),
      violations: violations.slice(0, maxFindings),
      fixed_violations: fixed.slice(0, maxFindings),
      syntax_errors: scan.faults.slice(0, maxFindings),
      expired_waivers: waivers.expired,
      warnings,
    };
  }

  /** The same for another work tree of the project. */
  inTree(root: string): GovernanceCheck {
    return new GovernanceCheck({ ...this.#options, root, runsIn: this.#options.root, stateDir: undefined });
  }

  /** The rules of a commit, or those of the files. */
  async policyAt(since: string | undefined, signal: AbortSignal): Promise<Policy> {
    return since === undefined ? this.readPolicy() : (await this.#base(since, signal)).policy;
  }

  async readPolicy(): Promise<Policy> {
    const files = SafeRoot.at(this.#options.root);
    const read = async (path: string) => {
      if (!(await files.stat(path))) return undefined;
      return (await files.readText(path, { maxBytes: limits.contract })).text;
    };
    return parsePolicy(await read(invariantsFile), await read(boundariesFile));
  }

  /** The rules at an earlier commit, so that a change cannot loosen what it is checked against. */
  async #base(since: string, signal: AbortSignal) {
    const { root, git } = this.#options;
    const repository = git.find(root);
    if (!repository) throw notInGit("Comparing with an earlier commit");
    const commit = await repository.resolveCommit(since, signal);
    if (commit === undefined) throw unknownRevision(since);
    const read = (path: string) => readCommitText(repository, root, { commit, path }, signal);
    const texts = [await read(invariantsFile), await read(boundariesFile)] as const;
    const names = await listCommitNames(repository, root, commit, signal);
    const counted = { total_files: { value: names.length }, migration_count: { value: countMigrations(names) } };
    return { commit, counted, sideTexts: await readSideTexts(read), policy: await parsePolicy(...texts) };
  }

  async #checkOtherLanguages(
    tree: ProjectTree,
    scan: ScanResult,
    mode: CheckRequest["mode"],
    warnings: string[],
    signal: AbortSignal,
  ): Promise<void> {
    if (scan.unchecked.size === 0) return;
    let unmeasured = [...scan.unchecked.keys()];
    if (mode === "full") {
      const { checkWithToolchains } = await import("./syntax/toolchain-syntax.ts");
      const readText = (path: string) => tree.text(path, limits.contract);
      const checked = await checkWithToolchains({ root: tree.root, readText }, scan.unchecked, signal);
      scan.faults.push(...checked.faults);
      unmeasured = checked.unmeasured;
    }
    if (unmeasured.length > 0)
      warnings.push(`Not checked for syntax errors: files in ${unmeasured.sort().join(", ")}.`);
  }

  async #measure(
    tree: ProjectTree,
    scan: ScanResult,
    { policy, folders }: { policy: Policy; folders: SideFolders },
    request: CheckRequest,
    call: Pick<Call, "signal" | "report">,
    warnings: string[],
  ): Promise<Map<string, Measured>> {
    const files = (value: number): Measured => ({ value, source: "files" });
    const measured = new Map<string, Measured>([
      ["total_files", files(tree.paths.length)],
      ["migration_count", files(countMigrations(tree.paths))],
      ["syntax_errors", files(scan.faults.length)],
      ...[...scan.counts].map(([name, value]): [string, Measured] => [name, files(value)]),
    ]);
    const counts = await this.#tests.count(folders, request, call, warnings);
    for (const side of sides) {
      const known = counts[side];
      if (!known) continue;
      const [count, failures] =
        "fault" in known
          ? [known, known]
          : [known.total, known.failed].map((value) => ({ value, source: known.source }));
      if (count) measured.set(`${side}_test_count`, count);
      if (failures) measured.set(`${side}_test_failures`, failures);
    }
    for (const own of policy.file.invariants ?? []) {
      if (own.command === undefined) continue;
      if (request.mode === "full" || request.commands?.includes(own.name))
        measured.set(own.name, await runInvariantCommand(this.#options, own, own.command, call.signal));
      else warnings.push(`${own.name} is measured by a command, which only the command line runs.`);
    }
    return measured;
  }

  /** Values of a commit are kept for trends; those of uncommitted work belong to none. */
  async #record(measured: ReadonlyMap<string, Measured>, signal: AbortSignal): Promise<string | undefined> {
    const { root, git, measurements } = this.#options;
    if (!git.find(root)) return undefined;
    const work = git.work(root);
    const { commit } = await work.head(signal);
    if (commit === undefined || (await work.files.uncommitted(signal)).length > 0) return undefined;
    await measurements.save(commit, measured, this.#options.now?.() ?? Date.now());
    return commit;
  }

  #today(): string {
    return new Date(this.#options.now?.() ?? Date.now()).toISOString().slice(0, 10);
  }
}
