import { dirname, join, posix } from "node:path";
import * as z from "zod";
import { tryParseJson } from "../../../kernel/json.ts";
import { entryAt } from "../../../platform/files/entry-at.ts";
import type { OriginEvidence } from "../origin/judge-origin.ts";
import type { TestProject } from "../project/test-project.ts";
import { readGoCoverage } from "../reports/coverage.ts";
import type { AskProgram, Counts, ParsedReport, Runner, RunOrder } from "../runner.ts";
import type { TestFailure } from "../test-run.ts";

const event = z.object({
  Action: z.string(),
  Package: z.string().default(""),
  Test: z.string().optional(),
  Output: z.string().optional(),
});

export const go: Runner = {
  name: "go",
  picksByName: true,
  isTest: (path) => path.endsWith("_test.go"),
  async find(project) {
    if (!project.isFile("go.mod") && !project.isFile("go.work")) return undefined;
    return { words: ["go", "test"], program: ["go", "test"], extra: [], env: {}, files: [], notes: [] };
  },
  /** The tests of a file are those of its package. */
  async related(project, sources) {
    const folders = new Set(sources.map((path) => posix.dirname(path)));
    return (await project.listFiles()).filter((path) => go.isTest(path) && folders.has(posix.dirname(path)));
  },
  async words(order) {
    const { found, reports, coverage } = order;
    const words = [
      ...found.program,
      "-json",
      ...(coverage ? [`-coverprofile=${join(reports, "cover.out")}`] : []),
      ...narrowTests(order),
    ];
    const around = findWorkspaceAround(order);
    const notes = [
      ...(coverage ? ["Go counts statements, not lines."] : []),
      ...(around === undefined ? [] : [`GOWORK=off was set, because ${around} belongs to another work tree.`]),
    ];
    return { words, notes, env: around === undefined ? {} : { GOWORK: "off" } };
  },
  read({ project, reports, coverage }) {
    const reader = new GoReader(findModule(project));
    return {
      line: (line) => reader.line(line),
      progress: () => reader.progress(),
      shown: () => reader.output,
      origin: askOrigin,
      async finish() {
        const parsed = reader.toReport();
        return parsed && { ...parsed, coverage: coverage ? readGoCoverage(join(reports, "cover.out")) : undefined };
      },
    };
  },
};

/** A `go.work` that Go would find above a linked work tree, and that does not know the modules in it. */
function findWorkspaceAround({ project, trees, base }: RunOrder): string | undefined {
  if (trees.main === undefined || base["GOWORK"] !== undefined || project.isFile("go.work")) return undefined;
  for (let folder = dirname(project.root); dirname(folder) !== folder; folder = dirname(folder))
    if (entryAt(join(folder, "go.work"))) return join(folder, "go.work");
  return undefined;
}

/** Go itself says which folder each package is compiled from: `replace` and workspaces included. */
async function askOrigin(ask: AskProgram): Promise<OriginEvidence> {
  const list = ["go", "list", "-e", "-deps", "-test", "-f", "{{if not .Standard}}{{.Dir}}{{end}}", "./..."];
  const folders = (await ask(list))?.split("\n").filter((line) => line !== "");
  return folders && folders.length > 0 ? { loaded: folders } : { unknown: "`go list` did not answer" };
}

/** The packages of the files; of their tests those that were named, or where a package is not meant whole, those in the files. */
function narrowTests({ project, choice }: RunOrder): string[] {
  if (choice.kind === "all") return ["./..."];
  const packages = [...new Set(choice.files.map((path) => `./${posix.dirname(path)}`))];
  const named = choice.kind === "tests" ? choice.names : [];
  const tests = named.length > 0 ? named : choice.files.flatMap((path) => listTests(project.readText(path) ?? ""));
  const top = [...new Set(tests.map((name) => name.split("/")[0] ?? name))].filter((name) => /^\w+$/.test(name));
  return [...(top.length > 0 ? ["-run", `^(${top.join("|")})$`] : []), ...(packages.length > 0 ? packages : ["./..."])];
}

function listTests(text: string): string[] {
  return [...text.matchAll(/^func ((?:Test|Example|Fuzz)\w*)\(/gm)].map(([, name = ""]) => name);
}

function findModule(project: TestProject): string {
  return /^module\s+(\S+)/m.exec(project.readText("go.mod") ?? "")?.[1] ?? "";
}

const maxOutput = 64_000;
const maxTestOutput = 8_000;
/** Whatever prints these lines need not be go: it must not fill the memory. */
const maxTests = 200_000;
const maxHeldOutput = 2_000;

const outcomes: Readonly<Record<string, keyof Counts>> = { pass: "passed", fail: "failed", skip: "skipped" };

class GoReader {
  readonly #module: string;
  readonly #outcomes = new Map<string, keyof Counts>();
  readonly #parents = new Set<string>();
  readonly #said = new Map<string, string>();
  readonly #failedPackages = new Set<string>();
  output = "";

  constructor(module: string) {
    this.#module = module;
  }

  line(line: string): void {
    const parsed = line.startsWith("{") ? event.safeParse(tryParseJson(line)) : undefined;
    if (!parsed?.success) {
      this.#plain(line);
      return;
    }
    const { Action: action, Package: of, Test: test, Output: output } = parsed.data;
    const key = `${of}\n${test ?? ""}`;
    if (output !== undefined) this.#hear(key, output);
    if (test !== undefined) this.#note(of, test, action);
    else if (action === "fail") this.#failPackage(of);
  }

  progress() {
    return { done: this.#outcomes.size, failed: [...this.#outcomes.values()].filter((one) => one === "failed").length };
  }

  toReport(): ParsedReport | undefined {
    if (this.#outcomes.size === 0 && this.#failedPackages.size === 0) return undefined;
    const cases = [...this.#outcomes].map(([key, outcome]) => ({ name: key.split("\n")[1] ?? "", outcome }));
    const parsed: ParsedReport = { passed: 0, failed: 0, skipped: 0, cases, failures: [], notes: [] };
    const failing = [...this.#outcomes].filter(([, outcome]) => outcome === "failed").map(([key]) => key);
    for (const [key, outcome] of this.#outcomes) {
      // A test that holds others fails with them; it counts by itself only where none of them did.
      if (this.#parents.has(key) && (outcome !== "failed" || failing.some((other) => other.startsWith(`${key}/`))))
        continue;
      parsed[outcome]++;
      if (outcome === "failed") parsed.failures.push(this.#failure(key));
    }
    // One that does not build, or ends in the middle, has no test that failed.
    for (const of of this.#failedPackages) {
      if (failing.some((key) => key.startsWith(`${of}\n`))) continue;
      parsed.failed++;
      parsed.failures.push({ name: of, message: this.#said.get(`${of}\n`) ?? "The package failed." });
    }
    return parsed;
  }

  #note(of: string, test: string, action: string): void {
    const key = `${of}\n${test}`;
    if (action === "run" && this.#parents.size < maxTests)
      for (const parent of listParents(test)) this.#parents.add(`${of}\n${parent}`);
    if (action === "pass") this.#said.delete(key);
    const outcome = outcomes[action];
    if (outcome && this.#outcomes.size < maxTests) this.#outcomes.set(key, outcome);
  }

  #hear(key: string, output: string): void {
    this.#show(output);
    if (!isFrame(output) && this.#said.size < maxHeldOutput)
      this.#said.set(key, ((this.#said.get(key) ?? "") + output).slice(-maxTestOutput));
  }

  #failPackage(of: string): void {
    if (this.#failedPackages.size < maxHeldOutput) this.#failedPackages.add(of);
  }

  #plain(line: string): void {
    this.#show(`${line}\n`);
    const [, of] = /^FAIL\s+(\S+)\s+\[(?:build|setup) failed\]/.exec(line) ?? [];
    if (of !== undefined) {
      this.#failPackage(of);
      this.#said.set(`${of}\n`, this.output.slice(-maxTestOutput));
    }
  }

  #failure(key: string): TestFailure {
    const [of = "", name = ""] = key.split("\n");
    const message = (this.#said.get(key) ?? "").trim();
    const places = message.split("\n").map((text) => /^([\w.-]{1,200}\.go):(\d+):/.exec(text.trim()));
    const [, file, line] = places.find((place) => place !== null) ?? [];
    const folder =
      of === this.#module ? "" : of.startsWith(`${this.#module}/`) ? of.slice(this.#module.length + 1) : undefined;
    if (file === undefined || folder === undefined) return { name, message };
    return { name, message, file: posix.join(folder, file), line: Number(line) };
  }

  #show(text: string): void {
    this.output = (this.output + text).slice(-maxOutput * 2);
    if (this.output.length > maxOutput * 1.5) this.output = this.output.slice(-maxOutput);
  }
}

function listParents(test: string): string[] {
  const parts = test.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** What says that a test begins or ends, besides what it says itself. */
function isFrame(output: string): boolean {
  return /^\s*(?:===|---) /.test(output);
}
