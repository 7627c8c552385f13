import { posix } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import type { TestProject } from "../project/test-project.ts";

const maxFiles = 5_000;
const javaScript = /\.[cm]?[jt]sx?$/;
const endings = [
  "",
  ".ts",
  ".tsx",
  ".js",
  ".jsx",
  ".mts",
  ".cts",
  ".mjs",
  ".cjs",
  "/index.ts",
  "/index.tsx",
  "/index.js",
];

/** Which of the tests reach one of these files through imports, or bear its name. */
export async function findRelatedTests(
  project: TestProject,
  sources: readonly string[],
  isTest: (path: string) => boolean,
): Promise<string[]> {
  const files = (await project.listFiles()).filter((path) => javaScript.test(path) || path.endsWith(".py"));
  const known = new Set(files);
  const users = new Map<string, string[]>();
  for (const [index, file] of files.slice(0, maxFiles).entries()) {
    for (const used of importsOf(file, project.readText(file) ?? "", known)) {
      const list = users.get(used) ?? [];
      users.set(used, list);
      list.push(file);
    }
    if (index % 200 === 199) await breathe();
  }
  const reached = new Set(sources);
  for (const file of reached) for (const user of users.get(file) ?? []) reached.add(user);
  const names = new Set(sources.map(bareName));
  return files.filter((path) => isTest(path) && (reached.has(path) || names.has(bareName(path))));
}

function importsOf(file: string, text: string, known: ReadonlySet<string>): string[] {
  return javaScript.test(file) ? javaScriptImports(file, text, known) : pythonImports(file, text, known);
}

function javaScriptImports(file: string, text: string, known: ReadonlySet<string>): string[] {
  const named = [...text.matchAll(/(?:\bfrom|\bimport|\brequire)\s{0,10}\(?\s{0,10}["'](\.[^"'\n]{0,500})["']/g)];
  return named.flatMap(([, specifier = ""]) => {
    const path = posix.join(posix.dirname(file), specifier);
    // TypeScript's sources are imported under the names of what they become.
    const source = path.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
    return [...endings.map((end) => path + end), source].filter((candidate) => known.has(candidate)).slice(0, 1);
  });
}

function pythonImports(file: string, text: string, known: ReadonlySet<string>): string[] {
  const modules = text.split("\n").flatMap((line) => modulesIn(line.trim()));
  return modules.flatMap((module) => pythonFiles(file, module, known));
}

/** `import a.b as c, d` and `from a import b`, where what is imported may be a module too. */
function modulesIn(line: string): string[] {
  const [keyword, of = "", second, ...names] = line.slice(0, 2_000).split(/[\s,()]+/);
  if (keyword === "import") return [of, ...[second ?? "", ...names]].filter((name) => name !== "");
  if (keyword !== "from" || second !== "import") return [];
  return [of, ...names.filter((name) => name !== "").map((name) => (of.endsWith(".") ? of + name : `${of}.${name}`))];
}

/** A module of the project: from its root, from `src`, or from the file's own folder. */
function pythonFiles(file: string, module: string, known: ReadonlySet<string>): string[] {
  const dots = /^\.*/.exec(module)?.[0].length ?? 0;
  const path = module.slice(dots).split(".").join("/");
  const up = posix.join(posix.dirname(file), ...Array<string>(Math.max(0, dots - 1)).fill(".."));
  const places = dots > 0 ? [up] : ["", "src", posix.dirname(file)];
  return places
    .flatMap((place) => [posix.join(place, `${path}.py`), posix.join(place, path, "__init__.py")])
    .filter((candidate) => known.has(candidate));
}

/** `sum` of `src/sum.ts`, `sum.test.ts`, `test_sum.py` and `sum_test.py`. */
function bareName(path: string): string {
  return posix
    .basename(path)
    .replace(/\.\w+$/, "")
    .replace(/^test[_-]|[._-](?:test|tests|spec|specs)$/g, "");
}
