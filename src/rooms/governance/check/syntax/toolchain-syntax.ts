import { runCommand } from "../../../../commons/test-runs/project/run-command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { SyntaxFault } from "./check-syntax.ts";

const deadlineMs = 120_000;
const filesPerRun = 500;

/** Parses each file that it is told, and runs none of them. */
const pythonScript = `
import ast, json, sys, warnings
warnings.simplefilter("ignore")
for name in sys.stdin.read().split("\\0"):
    if not name: continue
    try:
        with open(name, "rb") as file: ast.parse(file.read(), name)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        print(json.dumps([name, getattr(error, "lineno", None) or 1, str(getattr(error, "msg", error))[:200]]))
    except OSError: pass
`;

type Checker = (root: string, files: readonly string[], signal: AbortSignal) => Promise<SyntaxFault[]>;

/** Languages that are checked with their own parsers, where those are installed. */
const checkers: Record<string, Checker> = { python: checkPython, go: checkGo };

export type ToolchainResult = { faults: SyntaxFault[]; unmeasured: string[] };

/** Has the parsers of other languages look at their files. A language without one is named as not measured. */
export async function checkWithToolchains(
  root: string,
  unchecked: ReadonlyMap<string, string[]>,
  signal: AbortSignal,
): Promise<ToolchainResult> {
  const result: ToolchainResult = { faults: [], unmeasured: [] };
  for (const [language, files] of unchecked) {
    const checker = Object.hasOwn(checkers, language) ? checkers[language] : undefined;
    try {
      if (checker) result.faults.push(...(await checker(root, files, signal)));
      else result.unmeasured.push(language);
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
      result.unmeasured.push(language);
    }
  }
  return result;
}

async function checkPython(root: string, files: readonly string[], signal: AbortSignal): Promise<SyntaxFault[]> {
  // Isolated: no file of the project can be imported in place of a module.
  const words = ["python3", "-I", "-S", "-c", pythonScript];
  const { ending, stdout } = await runCommand(root, words, { signal, deadlineMs, input: files.join("\0") });
  if (ending.by !== "exit" || ending.code !== 0) throw notChecked("Python");
  return stdout.split("\n").flatMap((line): SyntaxFault[] => {
    if (line === "") return [];
    const [file, at, message]: [string, number, string] = JSON.parse(line);
    return [{ file, line: at, message }];
  });
}

async function checkGo(root: string, files: readonly string[], signal: AbortSignal): Promise<SyntaxFault[]> {
  const faults = new Map<string, SyntaxFault>();
  for (let at = 0; at < files.length; at += filesPerRun) {
    const words = ["gofmt", "-e", "-l", ...files.slice(at, at + filesPerRun).map((file) => `./${file}`)];
    const { ending, stderr } = await runCommand(root, words, { signal, deadlineMs });
    if (ending.by !== "exit") throw notChecked("Go");
    for (const line of stderr.split("\n")) {
      const place = /\.go:(\d{1,9}):\d{1,9}: /.exec(line);
      if (!place) continue;
      const file = line.slice(0, place.index + ".go".length).replace(/^\.\//, "");
      const message = line.slice(place.index + place[0].length, 500).slice(0, 200);
      if (!faults.has(file)) faults.set(file, { file, line: Number(place[1]), message });
    }
  }
  return [...faults.values()];
}

function notChecked(language: string): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `The syntax of ${language} files could not be checked.`);
}
