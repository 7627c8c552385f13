import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { commandSource } from "../../src/app/commands/command-source.ts";
import { toolsetNames } from "../../src/app/settings/profiles.ts";
import { makeSandbox } from "../harness/git/git.ts";
import { commandNames, type DocumentedCommand, documentedPages, shellLines } from "./blocks.ts";

const root = resolve(import.meta.dirname, "..", "..");
const pages = documentedPages(root);

type Place = { project: string; env: Record<string, string> };

/** A newcomer's project: a git repository, a home of its own, and Forge on the PATH. */
function newcomer(): Place {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const project = sandbox.repository("project", { "README.md": "# Hello\n" });
  const bin = join(sandbox.root, "bin");
  mkdirSync(bin);
  for (const name of ["forge", "forge-mcp"]) symlinkSync(join(root, "bin", `${name}.cjs`), join(bin, name));
  const { PATH = "" } = sandbox.environment;
  return { project, env: { ...sandbox.environment, PATH: `${bin}${delimiter}${PATH}` } };
}

/** With its exit code, and what it said. */
function finish(line: string, { project, env }: Place): Promise<{ code: number; said: string }> {
  return new Promise((done) => {
    const options = { cwd: project, env, timeout: 60_000 };
    const child = execFile("bash", ["-euo", "pipefail", "-c", line], options, (_error, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, said: stdout + stderr }),
    );
    child.stdin?.end();
  });
}

async function interrupt(line: string, { project, env }: Place): Promise<{ code: number; said: string }> {
  const child = spawn("bash", ["-c", `exec ${line}`], { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  const spoke = new Promise<void>((hear) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        said += chunk;
        hear();
      });
    }
  });
  const closed = once(child, "close");
  await Promise.race([spoke, closed]);
  child.kill("SIGINT");
  const [code] = await closed;
  return { code: code ?? -1, said };
}

function obey({ line, how }: DocumentedCommand, place: Place): Promise<{ code: number; said: string }> {
  return how === "interrupt" ? interrupt(line, place) : finish(line, place);
}

describe("every documented command does what its page says", () => {
  test.each(pages.filter(({ commands: lines }) => lines.some(({ how }) => how !== "leave")))("$file", async (page) => {
    const place = newcomer();
    for (const command of page.commands.filter(({ how }) => how !== "leave")) {
      const { code, said } = await obey(command, place);
      expect({ line: command.line, code, said: code === command.exits ? "" : said }).toEqual({
        line: command.line,
        code: command.exits,
        said: "",
      });
    }
  });
});

test("the pages speak only of commands that exist", () => {
  const words = commandSource.names.flatMap(({ name, aliases }) => [name, ...aliases]);
  const known = new Set([...words.map((word) => word.split(" ", 1)[0]), ...toolsetNames]);
  // A decision may speak of what was not done, or not yet.
  const guides = pages.filter(({ file }) => !file.startsWith(join("docs", "adr")));
  const unknown = guides.flatMap(({ file, text }) =>
    commandNames(text)
      .filter((name) => !known.has(name))
      .map((name) => `${file}: forge ${name}`),
  );
  expect(unknown).toEqual([]);
});

test("links between pages lead somewhere", () => {
  const broken = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, target = ""]) => target)
      .filter((target) => !existsSync(join(root, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("the convention itself", () => {
  const page = [
    "x",
    "```sh",
    "forge up # Ctrl+C",
    "# a remark",
    "forge a \\",
    "  b # exits 1",
    "```",
    "```json",
    "no",
    "```",
  ];
  expect(shellLines(page.join("\n"))).toEqual(["forge up # Ctrl+C", "forge a    b # exits 1"]);
  expect(commandNames("Run `forge frobnicate` or `cd x && forge log`.")).toEqual(["frobnicate", "log"]);
});
