import { fileName } from "../../../commons/code-index/project-index.ts";
import type { Check, CheckResult } from "../../../commons/evidence/checks.ts";
import { findInvariantCommand, invariantsFile } from "../../../commons/trust/invariant-commands.ts";
import type { Call } from "../../../kernel/calls/call.ts";
import type { Lazy } from "../../../kernel/definitions/room.ts";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import type { Git } from "../../../platform/git/git.ts";
import { isOwnRun } from "../model/is-own-run.ts";
import type { ProofTicket, ProvenRule } from "../model/ports.ts";
import { describeDoubt, describeResult, discountResult, findKnownBases, toKnownBase } from "./base-outcome.ts";
import type { CheckRunner, Ran } from "./check-runner.ts";
import { copyTests, filesOfCheck, removeFiles, restoreFiles } from "./files/check-files.ts";
import { findDependencies } from "./files/find-dependencies.ts";
import type { Imported } from "./files/find-imported.ts";
import { findCommittedPackages, findImportsOut, findLinksOut } from "./files/find-outside-code.ts";
import { listMarkedFiles, listSupport } from "./files/list-support.ts";
import { hasSameSettings, isManifest } from "./files/manifest-settings.ts";
import { planEarlierForms } from "./files/plan-earlier-forms.ts";
import type { ProofTree, ProofTrees } from "./proof-trees.ts";
import type { RuleChecks } from "./rule-checks.ts";

/** How checks are run. */
export type ProveOptions = {
  /** The checks are to pass before and after the change. */
  expectGreen?: boolean | undefined;
  /** How long the tests, or a command, may take. */
  deadlineMs?: number | undefined;
};

export type VerifyTimes = { treeMs: number; headMs: number; baseMs: number };

/** What is proven: a ticket's checks on a commit, whose work began at `base` and changed these files. */
export type ProofSubject = {
  ticket: ProofTicket;
  checks: Check[];
  head: string;
  base: string | undefined;
  changed: string[];
};

export type ProverDeps = {
  git: Git;
  projectRoot: string;
  trees: ProofTrees;
  runner: CheckRunner;
  rules: RuleChecks;
  isShared: Lazy<boolean>;
  /** What a check prints can contain secrets, and ends up in tickets and receipts. */
  redactor: Redactor;
};

/** The same after its checks were run, with what the work changed of the files that each uses. */
type RanSubject = ProofSubject & {
  support: ReadonlyMap<string, readonly string[]>;
  onHead: ReadonlyMap<string, Ran>;
};

/** Runs checks on a commit and on the commit before the change, each in a work tree of its own. */
export class ChangeProver {
  readonly #deps: ProverDeps;

  constructor(deps: ProverDeps) {
    this.#deps = deps;
  }

  async run(
    call: Call,
    subject: ProofSubject,
    request: ProveOptions,
    timing: VerifyTimes,
  ): Promise<{ results: CheckResult[]; rules: ProvenRule[] }> {
    const { checks, head, base, changed, ticket } = subject;
    const report = reporterOf(call);
    const named = [...new Set([...ticket.fileChanges.map(({ path }) => path), ...changed])];
    report(0.05, `Work tree of ${head.slice(0, 7)}`);
    return this.#deps.trees.use(head, { signal: call.signal, report: (text) => report(0.1, text) }, async (tree) => {
      timing.treeMs += tree.ms;
      const outside = {
        links: findLinksOut(tree.root, changed),
        packages: findCommittedPackages(changed),
        imports: findImportsOut(tree.root, changed),
        converted: changed.some((path) => fileName(path) === ".gitattributes") ? tree.converted : [],
      };
      const place = { ...makeRunPlace(call, tree, request), report: (text: string) => report(0.3, text) };
      const onHead = await measure(
        (ms) => (timing.headMs += ms),
        () => this.#deps.runner.run(checks, place),
      );
      const { rules, ran } = await this.#deps.rules.run(call, { ...tree, since: base }, checks);
      for (const [id, one] of ran) onHead.set(id, one);
      for (const { run } of onHead.values()) if (run !== undefined) call.record.evidence.push(`test-run:${run}`);
      const files = await this.#findFiles(call, subject, tree, onHead, named);
      const manifests = await this.#findOtherSettings(call, subject);
      const measured = await this.#nameCommands(call, subject);
      const support = new Map(
        measured.map((check) => [
          check.id,
          listSupport(tree.root, check, changed, files.imported.get(check.id), manifests),
        ]),
      );
      // What others report of the base is not relied on. On a server any token of this user could have reported it.
      const isShared = await this.#deps.isShared();
      const earlier = ticket.records.verifications?.filter((one) => !isShared && isOwnRun(one, call.principal));
      const known = findKnownBases(base, earlier, files.own);
      // What fails with the change proves nothing, and its causes, such as missing packages, may be in both trees.
      const toRun = checks.filter(
        ({ id, expectGreen }) =>
          !known.has(id) && !expectGreen && !request.expectGreen && onHead.get(id)?.outcome === "passed",
      );
      const onBase =
        base === undefined ? new Map<string, Ran>() : await this.#runOnBase(call, base, tree, toRun, request, timing);
      const ownFiles = new Map(measured.map((check) => [check.id, filesOfCheck(tree.root, check)]));
      const weakened =
        base === undefined
          ? new Set<string>()
          : await this.#findWeakened(call, base, tree, { ...subject, support, onHead }, request, timing);
      const { redactor } = this.#deps;
      // Last, so that what was changed meanwhile is seen, too.
      const doubt = describeDoubt(await tree.findAltered(), outside);
      const results = checks.map((check): CheckResult => {
        const ran = onHead.get(check.id) ?? { outcome: "error", why: "It was not run.", ms: 0 };
        const baseRan = onBase.get(check.id);
        const shown = known.get(check.id) ?? (baseRan && toKnownBase(baseRan));
        const own = files.own.get(check.id);
        const deps = files.all.get(check.id);
        const parts = [...(ownFiles.get(check.id) ?? []), ...(support.get(check.id) ?? [])];
        const isOwn = [...parts, ...listMarkedFiles(check, changed)].some((file) => changed.includes(file));
        const result: CheckResult = {
          check: check.id,
          outcome: ran.outcome,
          ...(shown?.outcome !== undefined && { base: shown.outcome }),
          ...(shown?.why !== undefined && { baseWhy: redactor.text(shown.why).slice(0, 1_000) }),
          ...(weakened.has(check.id) && { weakened: true as const }),
          ...(isOwn && { changed: true as const }),
          ...(request.expectGreen && { expectGreen: true as const }),
          why: describeResult(ran, shown),
          ...(ran.run !== undefined && { run: ran.run }),
          ms: ran.ms,
          ...(deps && { files: deps }),
          ...(own !== undefined && { own }),
        };
        return doubt === undefined || check.how.type === "file" ? result : discountResult(result, doubt);
      });
      const redactLine = <Line extends { why: string }>(line: Line) => ({ ...line, why: redactor.text(line.why) });
      return { results: results.map(redactLine), rules: rules.map(redactLine) };
    });
  }

  /** The checks by what runs in the end: an invariant that a command measures is as good as what that command uses. */
  async #nameCommands({ signal }: Call, { checks, base, head }: ProofSubject): Promise<Check[]> {
    if (!checks.some(({ how }) => how.type === "invariant")) return checks;
    // The rules are those from before the work.
    const text = await this.#read(base ?? head, invariantsFile, signal);
    return checks.map((check) => {
      const command = check.how.type === "invariant" ? findInvariantCommand(text, check.how.name) : undefined;
      return command ? { ...check, how: { type: "command", command } } : check;
    });
  }

  #read(commit: string, path: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#deps.git.open(this.#deps.projectRoot).textAt(commit, path, signal);
  }

  /** Each package.json whose settings for runners and linters are others than before the work. */
  async #findOtherSettings({ signal }: Call, { changed, base, head }: ProofSubject): Promise<string[]> {
    const read = (commit: string, path: string) => this.#read(commit, path, signal);
    const found: string[] = [];
    for (const path of changed.filter(isManifest))
      if (base !== undefined && !hasSameSettings(await read(base, path), await read(head, path))) found.push(path);
    return found;
  }

  /** What each result depends on, with the ids of the contents at the commit. */
  async #findFiles(
    call: Call,
    subject: ProofSubject,
    tree: ProofTree,
    ran: Map<string, Ran>,
    named: readonly string[],
  ) {
    const work = this.#deps.git.work(this.#deps.projectRoot);
    const all = new Map<string, Record<string, string>>();
    const own = new Map<string, string>();
    const imported = new Map<string, Imported>();
    for (const check of subject.checks) {
      const looked = ran.get(check.id)?.files ?? [];
      const found = await work.commits.blobs(subject.head, looked, call.signal);
      // What a set-up or another check has left in the tree is not the work's.
      if (looked.length > 0 && found.size === 0) {
        const why = `${looked[0]} is not in the commit.`;
        ran.set(check.id, { outcome: "failed", why, ms: ran.get(check.id)?.ms ?? 0 });
      }
      const { files, imported: known } = await findDependencies(tree.root, check, { looked, named });
      const file = check.how.type === "test" ? check.how.file : undefined;
      const ids = await work.commits.blobs(subject.head, files ?? (file === undefined ? [] : [file]), call.signal);
      if (files) all.set(check.id, Object.fromEntries(files.map((path) => [path, ids.get(path) ?? ""])));
      if (file !== undefined) own.set(check.id, ids.get(file) ?? "");
      if (known) imported.set(check.id, known);
    }
    return { all, own, imported };
  }

  /** On the commit before the change, with the checks' own test files from after it. */
  async #runOnBase(
    call: Call,
    base: string,
    head: ProofTree,
    checks: readonly Check[],
    request: ProveOptions,
    timing: VerifyTimes,
  ): Promise<Map<string, Ran>> {
    if (checks.length === 0) return new Map();
    const report = reporterOf(call);
    report(0.55, `The same checks without the change, on ${base.slice(0, 7)}`);
    const options = { signal: call.signal, report: (text: string) => report(0.6, text), like: head.root };
    return this.#deps.trees.use(base, options, async (tree) => {
      timing.treeMs += tree.ms;
      await copyTests(head.root, tree.root, checks);
      const renew = async () => {
        await tree.renew();
        await copyTests(head.root, tree.root, checks);
      };
      const place = { ...makeRunPlace(call, tree, request), renew, report: (text: string) => report(0.7, text) };
      return measure(
        (ms) => (timing.baseMs += ms),
        () => this.#runAll(call, checks, place, base),
      );
    });
  }

  async #runAll(call: Call, checks: readonly Check[], place: RunPlace, base: string): Promise<Map<string, Ran>> {
    const ran = await this.#deps.runner.run(checks, place);
    const invariants = checks.filter(({ how }) => how.type === "invariant");
    if (invariants.length === 0) return ran;
    const own = await this.#deps.rules.run(call, { ...place, since: base }, invariants);
    return new Map([...ran, ...own.ran]);
  }

  /**
   * Checks that the work changed, or what they use (helpers, fixtures, recorded results, settings): those that fail on the result
   * in their earlier form.
   */
  async #findWeakened(
    call: Call,
    base: string,
    head: ProofTree,
    { checks, changed, head: commit, support, onHead }: RanSubject,
    request: ProveOptions,
    timing: VerifyTimes,
  ): Promise<Set<string>> {
    const work = this.#deps.git.work(this.#deps.projectRoot);
    const passed = checks.filter(({ id }) => onHead.get(id)?.outcome === "passed");
    const parts = passed.flatMap(({ id, how }) => [
      ...(how.type === "test" ? [how.file] : []),
      ...(support.get(id) ?? []),
    ]);
    const touched = new Set(parts.filter((file) => changed.includes(file)));
    const before = new Set((await work.commits.blobs(base, [...touched], call.signal)).keys());
    const forms = planEarlierForms(passed, { changed: touched, before, support });
    const against = new Set<string>();
    if (forms.length === 0 || commit === base) return against;
    reporterOf(call)(0.85, "Checks as they were before the work");
    return this.#deps.trees.use(base, { signal: call.signal, report: () => undefined }, async (old) => {
      for (const form of forms) {
        await restoreFiles(old.root, head.root, form.restored);
        // What the work added to them may stand in their way.
        await removeFiles(head.root, form.removed);
        const place = { ...makeRunPlace(call, head, request), report: () => undefined };
        const ran = await measure(
          (ms) => (timing.baseMs += ms),
          () => this.#runAll(call, form.checks, place, base),
        );
        for (const { id } of form.checks) if (form.isAgainst(ran.get(id))) against.add(id);
      }
      return against;
    });
  }
}

type RunPlace = Parameters<CheckRunner["run"]>[1];

function makeRunPlace({ signal }: Call, { root, renew }: ProofTree, { deadlineMs }: ProveOptions) {
  return { root, signal, deadlineMs, renew };
}

function reporterOf(call: Call) {
  return (progress: number, message: string) => call.report({ progress, total: 1, message });
}

async function measure<T>(add: (ms: number) => void, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    add(Math.round(performance.now() - began));
  }
}
