import { delimiter, join, relative } from "node:path";
import { runCommand } from "../../../../commons/test-runs/project/run-command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import { defaultLimits } from "../../../../platform/exec/limits.ts";
import { searchFoldersOutside } from "../../../../platform/exec/search-path.ts";
import { realPathOf, realPlace } from "../../../../platform/files/real-place.ts";
import { environment } from "../../../../platform/host/environment.ts";
import type { SyntaxFault } from "./check-syntax.ts";

const deadlineMs = 120_000;
/** A file may name others that the parser reads too, `/dev/zero` among them. */
const maxMegabytes = 4_096;
const maxFilesPerRun = 500;

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

/** The same with the JDK's own parser, which runs no annotation processor when it only parses. */
const javaScript = `
import com.sun.source.util.JavacTask;
import java.nio.charset.StandardCharsets;
import java.util.*;
import javax.tools.*;
class Parse {
  public static void main(String[] names) throws Exception {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    StandardJavaFileManager files = compiler.getStandardFileManager(found, null, StandardCharsets.UTF_8);
    ((JavacTask) compiler.getTask(null, files, found, List.of("-proc:none"), null, files.getJavaFileObjects(names))).parse();
    for (Diagnostic<? extends JavaFileObject> one : found.getDiagnostics())
      if (one.getKind() == Diagnostic.Kind.ERROR && one.getSource() != null)
        System.out.println(one.getSource().getName() + ":" + one.getLineNumber() + ":1: " + one.getMessage(Locale.ENGLISH));
  }
}
`;

/** Java reads its program from a file only. */
const javaLine = `d=$(mktemp -d) && trap 'rm -r "$d"' EXIT && cat > "$d/Parse.java" && java "$d/Parse.java" "$@"`;

/** A program that names the place of each fault. Started outside the project, so that none of its settings choose what runs. */
type ReadText = (path: string) => string | undefined;
type Parser = {
  words: readonly string[];
  input?: string;
  /** Between a file's name and what is wrong in it. */
  place: RegExp;
  filesPerRun?: number;
  /** The last word before the files, where it depends on the file. */
  groupOf?(file: string, readText: ReadText): string;
  /** Exit codes of a run that has looked at every file. */
  codes: readonly number[];
  /** What it says where it has not, whatever its exit code. */
  failure?: RegExp;
  /** One line for each fault, where the program writes more. */
  toLines?(output: string): string;
};

const parsers: Record<string, Parser> = {
  go: { words: ["gofmt", "-e", "-l"], codes: [0, 2], place: /(?<=\.go):(\d{1,9}):\d{1,9}: / },
  java: {
    words: ["sh", "-c", javaLine, "sh"],
    input: javaScript,
    codes: [0],
    place: /(?<=\.java):(\d{1,9}):1: /,
  },
  rust: {
    words: ["rustfmt", "--check", "--color", "never", "--config-path", "/dev/null", "--edition"],
    groupOf: rustEdition,
    codes: [0, 1],
    // rustfmt may be a name for a toolchain that is not installed.
    failure: /^error: (?!.{1,500}\n +--> )/m,
    place: /(?<=\.rs):(\d{1,9}):\d{1,9}: /,
    toLines: joinPlaces,
  },
  shell: { words: ["bash", "-n"], codes: [0, 1, 2], place: /: line (\d{1,9}): /, filesPerRun: 1 },
};

export type ToolchainResult = { faults: SyntaxFault[]; unmeasured: string[] };

/** Has the parsers of other languages look at their files, where they are installed. A language without one is named as not measured. */
export async function checkWithToolchains(
  { root, readText }: { root: string; readText: ReadText },
  unchecked: ReadonlyMap<string, string[]>,
  signal: AbortSignal,
): Promise<ToolchainResult> {
  const result: ToolchainResult = { faults: [], unmeasured: [] };
  for (const [language, files] of keepPlain(root, unchecked)) {
    const parser = Object.hasOwn(parsers, language) ? parsers[language] : undefined;
    try {
      if (language === "python") result.faults.push(...(await checkPython(root, files, signal)));
      else if (parser)
        for (const [last, group] of groupFiles(files, (file) => parser.groupOf?.(file, readText))) {
          const words = last === undefined ? parser.words : [...parser.words, last];
          result.faults.push(...(await checkWith({ ...parser, words }, root, group, signal)));
        }
      else result.unmeasured.push(language);
    } catch (error) {
      if (!(error instanceof ForgeError) || error.code === "CANCELLED") throw error;
      result.unmeasured.push(language);
    }
  }
  return result;
}

/** Programs follow links: one may lead out of the project. */
function keepPlain(root: string, listed: ReadonlyMap<string, string[]>): [language: string, files: string[]][] {
  const isPlain = (file: string) => realPathOf(join(root, file)) === join(realPlace(root), file);
  return [...listed]
    .map(([language, files]): [string, string[]] => [language, files.filter(isPlain)])
    .filter(([, files]) => files.length > 0);
}

/**
 * Nobody has trusted the project, so no program of it is used. Nor its folder: programs that choose between versions, such as
 * asdf and pyenv, ask the files of the folder that they are started in.
 */
function runOutside(root: string, words: readonly string[], options: { signal: AbortSignal; input?: string }) {
  const limits = { ...defaultLimits(), memoryMegabytes: maxMegabytes };
  return runCommand("/", words, {
    ...options,
    deadlineMs,
    limits,
    env: { PATH: searchFoldersOutside(environment, root).join(delimiter) },
  });
}

function groupFiles<Group>(files: readonly string[], groupOf: (file: string) => Group): Map<Group, string[]> {
  const groups = new Map<Group, string[]>();
  for (const file of files) {
    const group = groups.get(groupOf(file));
    if (group) group.push(file);
    else groups.set(groupOf(file), [file]);
  }
  return groups;
}

/** What the file's package says, or the workspace that it is in: keywords and syntax differ between editions. */
function rustEdition(file: string, readText: ReadText): string {
  for (let folder = file; folder.includes("/"); ) {
    folder = folder.slice(0, folder.lastIndexOf("/"));
    const edition = editionIn(readText(`${folder}/Cargo.toml`));
    if (edition !== undefined) return edition;
  }
  return editionIn(readText("Cargo.toml")) ?? defaultEdition;
}

const defaultEdition = "2021";

function editionIn(manifest = ""): string | undefined {
  return /^edition[ \t]*=[ \t]*"(\d{4})"/m.exec(manifest)?.[1];
}

async function checkPython(root: string, files: readonly string[], signal: AbortSignal): Promise<SyntaxFault[]> {
  // Isolated: no file of the project can be imported in place of a module.
  const words = ["python3", "-I", "-S", "-c", pythonScript];
  const input = files.map((file) => join(root, file)).join("\0");
  const { ending, stdout } = await runOutside(root, words, { signal, input });
  if (ending.by !== "exit" || ending.code !== 0) throw notChecked(words);
  return stdout.split("\n").flatMap((line): SyntaxFault[] => {
    if (line === "") return [];
    const [path, at, message]: [string, number, string] = JSON.parse(line);
    return [{ file: relative(root, path), line: at, message }];
  });
}

async function checkWith(
  { words, input, place, codes, failure, filesPerRun = maxFilesPerRun, toLines = (output) => output }: Parser,
  root: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<SyntaxFault[]> {
  const faults = new Map<string, SyntaxFault>();
  const known = new Set(files);
  for (let at = 0; at < files.length; at += filesPerRun) {
    const paths = files.slice(at, at + filesPerRun).map((file) => join(root, file));
    const options = { signal, ...(input !== undefined && { input }) };
    const { ending, stdout, stderr } = await runOutside(root, [...words, ...paths], options);
    if (ending.by !== "exit" || !codes.includes(ending.code) || failure?.test(stderr)) throw notChecked(words);
    for (const line of toLines(`${stdout}\n${stderr}`).split("\n")) {
      const found = place.exec(line);
      if (!found) continue;
      const file = relative(root, line.slice(0, found.index));
      const message = line.slice(found.index + found[0].length).slice(0, 200);
      // A file may name others, also outside of the project, that the parser reads too.
      if (known.has(file) && !faults.has(file)) faults.set(file, { file, line: Number(found[1]), message });
    }
  }
  return [...faults.values()];
}

/** rustfmt writes the place on the line after the error. */
function joinPlaces(output: string): string {
  const lines = output.split("\n");
  const joined = lines.map((line, at) => {
    const [before = "", place] = [lines[at - 1], line.trimStart()];
    return place.startsWith("--> ") && before.startsWith("error: ") ? `${place.slice(4)}: ${before.slice(7)}` : line;
  });
  return joined.join("\n");
}

function notChecked([program = ""]: readonly string[]): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `${program} could not check the syntax of its files.`);
}
