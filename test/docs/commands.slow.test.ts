import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeSandbox } from "../harness/git/git.ts";
import { type DocumentedCommand, documentedPages } from "./blocks.ts";

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
