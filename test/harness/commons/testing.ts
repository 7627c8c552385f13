import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { TestRunStore, TestService } from "../../../src/commons/test-runs/index.ts";
import { TestProject } from "../../../src/commons/test-runs/project/test-project.ts";
import type { RunOrder } from "../../../src/commons/test-runs/runner.ts";
import type { TestProgress, TestRequest, TestRun } from "../../../src/commons/test-runs/test-run.ts";
import { openDatabase } from "../../../src/platform/db/database.ts";
import { Git } from "../../../src/platform/git/git.ts";
import { eventually } from "../cli/processes.ts";
import { migrations } from "../db/all-migrations.ts";
import { trustSandbox } from "./trust.ts";

type Asked = Partial<Omit<TestRequest, "root" | "report">>;

/** The environment that the tests themselves run in. */
export const testingEnvironment = process.env;

/** Halves what short runs of Java programs cost. */
const quickJava = Object.fromEntries(
  ["GRADLE_OPTS", "MAVEN_OPTS"].map((name) => [name, "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"]),
);

/** A trusted project's tests, run for real; what is kept of them lies beside the project. */
export function testingSandbox(given: Readonly<Record<string, string>> | { exactly: Record<string, string> } = {}) {
  const sandbox = trustSandbox();
  const database = openDatabase({ file: join(sandbox.root, "state", "forge.db") }, migrations);
  mkdirSync(join(sandbox.root, "state"));
  onTestFinished(() => database.close());
  const runs = new TestRunStore(database);
  const git = new Git({ environment: sandbox.environment });
  const trees: (string | undefined)[] = [];
  const exactly = "exactly" in given && typeof given.exactly === "object" ? given.exactly : undefined;
  const environment: Readonly<Record<string, string | undefined>> = exactly ?? {
    ...process.env,
    ...quickJava,
    ...(given as Readonly<Record<string, string>>),
    FORGE_TOKEN: "should not be seen",
  };
  const testing = new TestService({
    trust: sandbox.trust,
    runs,
    treeHash: async () => (trees.length > 1 ? trees.shift() : trees[0]),
    ignoredFiles: (root, signal) => git.work(root).files.ignored(signal),
    environment,
  });
  const reports: TestProgress[] = [];
  return {
    ...sandbox,
    environment,
    testing,
    runs,
    reports,
    /** The hashes that the tree will have, in order; the last one is used from then on. */
    trees,
    /** A repository with these files, all of it trusted. */
    async project(files: Record<string, string>, name = "shop"): Promise<string> {
      const root = sandbox.repository(name, files);
      for (const script of ["test.sh", "mvnw", "gradlew"])
        if (files[script] !== undefined) makeProgram(join(root, script), files[script]);
      await sandbox.trustAll(root);
      return root;
    },
    run(root: string, asked: Asked = {}): Promise<TestRun> {
      return testing.run({
        root,
        scope: "all",
        files: [],
        types: [],
        coverage: false,
        deadlineMs: 120_000,
        signal: new AbortController().signal,
        report: (progress) => void reports.push(progress),
        ...asked,
      });
    },
  };
}

/** Where Jest, Mocha and Vitest with its coverage are installed for the tests. */
export const { FORGE_TEST_RUNNERS: preparedRunners = "" } = process.env;

export function makeProgram(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}

/** Makes our packages, or those of a prepared folder, available in the project. */
export function installPackages(root: string, from = join(import.meta.dirname, "../../..")): void {
  symlinkSync(realpathSync(join(from, "node_modules")), join(root, "node_modules"));
}

/** Debian's Python is the one that Debian's packages are installed for. */
export const debianFirst = { PATH: `/usr/bin:${process.env["PATH"]}` };

/** A virtual environment with some of Debian's Python packages. */
export function virtualEnvironment(root: string, isWanted: (name: string) => boolean): void {
  const python = "/usr/bin/python3";
  const version = basename(realpathSync(python));
  const packages = join(root, ".venv", "lib", version, "site-packages");
  mkdirSync(packages, { recursive: true });
  mkdirSync(join(root, ".venv", "bin"));
  writeFileSync(join(root, ".venv", "pyvenv.cfg"), "home = /usr/bin\ninclude-system-site-packages = false\n");
  symlinkSync(python, join(root, ".venv", "bin", "python"));
  const from = "/usr/lib/python3/dist-packages";
  for (const name of readdirSync(from).filter(isWanted)) symlinkSync(join(from, name), join(packages, name));
}

/** The project's own command, as a person writes it. */
export const configuredTest = (...testCommand: string[]) => ({
  ".forge/workbench.json": JSON.stringify({ testCommand }),
});

/** A folder with a report recorded from a real run; removed after the test. */
export function layReport(recorded: string, name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "forge-report-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  copyFileSync(join(import.meta.dirname, "../../golden/test-reports", recorded), join(folder, name));
  return folder;
}

/** A request for all tests, in a project that is only a folder name. */
export function orderFor(root: string, reports: string): RunOrder {
  const found = { words: [], program: [], extra: [], env: {}, files: [], notes: [] };
  const trees = { root, others: [], main: undefined };
  return { project: new TestProject(root), trees, base: {}, found, choice: { kind: "all" }, reports, coverage: false };
}

/** Processes whose working directory is in a folder (Linux). */
export function processesIn(folder: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

/** Command lines of processes that name a folder in their arguments or environment (Linux). */
export function processesWith(folder: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, "utf8");
      const words = read("cmdline");
      return words.includes(folder) || read("environ").includes(folder) ? [words.replaceAll("\0", " ")] : [];
    } catch {
      return [];
    }
  });
}

export async function untilThere(path: string, patienceMs?: number): Promise<void> {
  await eventually(path, () => existsSync(path), patienceMs);
}

/** A repository with its files committed, and a second work tree beside it. */
export async function withWorkTree(files: Record<string, string>, given: Record<string, string> = {}) {
  const sandbox = testingSandbox(given);
  const main = await sandbox.project(files, "shop");
  sandbox.git(main, "add", "--all");
  sandbox.git(main, "commit", "--quiet", "--allow-empty", "-m", "all");
  const tree = join(dirname(main), "tree");
  sandbox.git(main, "worktree", "add", "--quiet", tree);
  return { ...sandbox, main, tree };
}

/** Toolchains are slow where others use the machine too. */
export const patienceMs = 300_000;

/** What a run shows that tested code of another work tree. */
export const elsewhere = { status: "failed", origin: { from: "elsewhere" }, failures: [{ type: "wrong_origin" }] };
