import { dirname, join } from "node:path";
import * as z from "zod";
import { tryParseJson } from "../../../kernel/json.ts";
import { isInside } from "../../../platform/git/run/locate-repository.ts";
import type { OriginEvidence } from "../origin/judge-origin.ts";
import type { TestProject } from "../project/test-project.ts";
import { LineCounter } from "../reports/line-counter.ts";
import type { AskProgram, ParsedReport, Runner, RunOrder, TestCase } from "../runner.ts";
import { listPresentFiles } from "../runner-files.ts";
import { detectTestType } from "../selection/test-types.ts";
import type { TestFailure } from "../test-run.ts";

const integrationFile = /^tests\/(?:([^/]+)\.rs|([^/]+)\/main\.rs)$/;

const settings = [".cargo/config", ".cargo/config.toml", "rust-toolchain", "rust-toolchain.toml"];

const isSource = (path: string) => path.startsWith("src/") && path.endsWith(".rs");

export const cargo: Runner = {
  name: "cargo",
  picksByName: true,
  isTest: (path) => integrationFile.test(path) || isSource(path),
  /** What lies in `tests/` is an integration test to cargo, unless its name says more. */
  typeOf(path) {
    const byName = detectTestType(path);
    return byName === "unit" && !isSource(path) ? "integration" : byName;
  },
  async find(project) {
    if (!project.isFile("Cargo.toml")) return undefined;
    const files = listPresentFiles(project, settings);
    return { words: ["cargo", "test"], program: ["cargo", "test"], extra: [], env: {}, files, notes: [] };
  },
  async related(project, sources) {
    const tests = (await project.listFiles()).filter((path) => integrationFile.test(path));
    const modules = sources.map((path) => moduleName(path).at(-1)).filter((name) => name !== undefined);
    const mentions = tests.filter((path) => modules.some((name) => isMentioned(project.readText(path) ?? path, name)));
    return [...sources.filter(isSource), ...mentions];
  },
  async words(order) {
    const { found, coverage } = order;
    const target = findOwnTarget(order);
    const own = target === undefined ? [] : ["--target-dir", target];
    return {
      words: [...found.program, "--no-fail-fast", "--color", "never", ...own, ...(await narrowTests(order))],
      notes: coverage ? ["No coverage: cargo does not measure it by itself."] : [],
    };
  },
  read(order) {
    const counter = new LineCounter({ done: /^test .{1,1500} \.\.\. /, failed: /^test .{1,1500} \.\.\. FAILED/ });
    const reader = new CargoReader();
    return {
      line(line) {
        counter.addLine(line);
        reader.line(line);
      },
      progress: () => counter.getProgress(),
      origin: (ask) => askOrigin(order, ask),
      finish: async () => reader.toReport(),
    };
  },
};

/**
 * Cargo decides by file times what to compile again, so a target folder that work trees share holds whichever of them was
 * compiled last. Such a folder is not used.
 */
function findOwnTarget({ project, trees, base }: RunOrder): string | undefined {
  const isShared = base["CARGO_TARGET_DIR"] !== undefined || base["CARGO_BUILD_TARGET_DIR"] !== undefined;
  return trees.main !== undefined || isShared ? join(project.root, "target") : undefined;
}

const metadata = z.object({
  packages: z.array(z.object({ manifest_path: z.string(), source: z.string().nullish() })),
  target_directory: z.string(),
});

/** Packages without a source are compiled from the folder of their manifest. */
async function askOrigin(order: RunOrder, ask: AskProgram): Promise<OriginEvidence> {
  const words = ["cargo", "metadata", "--format-version", "1", "--offline"];
  const parsed = metadata.safeParse(tryParseJson((await ask(words)) ?? (await ask([...words, "--no-deps"])) ?? ""));
  if (!parsed.success) return { unknown: "`cargo metadata` did not answer" };
  const { packages, target_directory: target } = parsed.data;
  if (findOwnTarget(order) === undefined && !isInside(target, order.project.root))
    return { unknown: `the build folder ${target} is outside the project, and other work trees may share it` };
  const own = packages.filter(({ source }) => source === null || source === undefined);
  return { loaded: own.map(({ manifest_path }) => join(dirname(manifest_path), "src")) };
}

async function narrowTests({ project, choice }: RunOrder): Promise<string[]> {
  if (choice.kind === "all") return [];
  if (choice.kind === "tests" && choice.names.length > 0)
    return ["--", "--exact", ...choice.names.filter((name) => !name.startsWith("-"))];
  const targets = choice.files.flatMap((path) => {
    const [, file, folder] = integrationFile.exec(path) ?? [];
    const name = file ?? folder;
    return name === undefined ? [] : ["--test", name];
  });
  const sources = choice.files.filter(isSource);
  if (sources.length === 0) return targets;
  const modules = sources.map((path) => moduleName(path).join("::"));
  const all = (await project.listFiles()).filter(isSource);
  // A filter would hold for the other targets too.
  const isNarrow = targets.length === 0 && sources.length < all.length && modules.every((name) => name !== "");
  return [...listOwnTargets(project), ...(isNarrow ? ["--", ...modules.map((name) => `${name}::`)] : targets)];
}

/** Asking for a target that is not there is an error of cargo's. */
function listOwnTargets(project: TestProject): string[] {
  const lib = project.has("src/lib.rs") ? ["--lib"] : [];
  return project.has("src/main.rs") || project.has("src/bin") ? [...lib, "--bins"] : lib;
}

function moduleName(path: string): string[] {
  const parts = path
    .replace(/^src\//, "")
    .replace(/\.rs$/, "")
    .split("/");
  return ["mod", "lib", "main"].includes(parts.at(-1) ?? "") ? parts.slice(0, -1) : parts;
}

function isMentioned(text: string, name: string): boolean {
  return text.split(/[^A-Za-z0-9_]+/).includes(name);
}

/** Whatever prints these lines need not be cargo: it must not fill the memory. */
const maxFailures = 1_000;
const maxCases = 100_000;

/** libtest prints no report that is stable: its lines are read, and the exit code decides. */
class CargoReader {
  readonly #parsed: ParsedReport = { passed: 0, failed: 0, skipped: 0, failures: [], notes: [] };
  readonly #messages = new Map<string, string[]>();
  readonly #cases: TestCase[] = [];
  #failed: string[] = [];
  #told: string | undefined;
  #isResult = false;

  line(line: string): void {
    const [, name] = /^---- (.{1,1000}) stdout ----$/.exec(line) ?? [];
    const [, failed] = /^test (.{1,1000}) \.\.\. FAILED$/.exec(line) ?? [];
    const counts = /^test result: \S+ (\d+) passed; (\d+) failed; (\d+) ignored;/.exec(line);
    const [, tested, said] = /^test (.{1,1000}) \.\.\. (ok|FAILED|ignored)/.exec(line) ?? [];
    if (tested !== undefined && this.#cases.length < maxCases)
      this.#cases.push({ name: tested, outcome: said === "ok" ? "passed" : said === "ignored" ? "skipped" : "failed" });
    if (failed !== undefined && this.#failed.length < maxFailures) this.#failed.push(failed);
    if (name !== undefined && this.#messages.size < maxFailures) {
      this.#told = name;
      this.#messages.set(name, []);
    } else if (line === "failures:" || counts) this.#told = undefined;
    else if (this.#told !== undefined) this.#add(this.#told, line);
    if (counts) this.#close(counts);
  }

  toReport(): ParsedReport | undefined {
    if (!this.#isResult) return undefined;
    return { ...this.#parsed, cases: this.#cases, notes: ["The counts are read from cargo's output."] };
  }

  #add(name: string, line: string): void {
    const lines = this.#messages.get(name);
    if (lines && lines.length < 200) lines.push(line.slice(0, 1_000));
  }

  #close([, passed, failed, ignored]: RegExpExecArray): void {
    this.#isResult = true;
    this.#parsed.passed += Number(passed);
    this.#parsed.failed += Number(failed);
    this.#parsed.skipped += Number(ignored);
    const room = maxFailures - this.#parsed.failures.length;
    for (const name of this.#failed.slice(0, room)) this.#parsed.failures.push(this.#failure(name));
    this.#failed = [];
    this.#messages.clear();
  }

  #failure(name: string): TestFailure {
    const message = (this.#messages.get(name) ?? []).join("\n").trim();
    const [, file, line] = /^([^\s:]{1,500}):(\d{1,9}):/.exec(findPlace(message)) ?? [];
    return { name, message, ...(file !== undefined && { file, line: Number(line) }) };
  }
}

/** What says where it panicked: right after the words, or in older versions after the message in quotes. */
function findPlace(message: string): string {
  const [, ...told] = message.split(" panicked at ");
  const text = told.join(" panicked at ");
  return text.startsWith("'") ? text.slice(text.lastIndexOf("', ") + 3) : text;
}
