import { spawn } from "node:child_process";
import { once } from "node:events";
import { forge } from "./forge-process.ts";

const program = [forge];

export type Ran = { code: number | null; output: string };

type Place = { cwd: string; env: Record<string, string> };

/** Runs forge without a terminal. */
export async function runForge(args: string[], place: Place): Promise<Ran> {
  return finish(spawn(process.execPath, [...program, ...args], { ...place, stdio: ["ignore", "pipe", "pipe"] }));
}

/** Runs forge on a terminal and types the answer when it asks. `stdin` is piped into it, over and over. */
export async function runForgeOnTerminal(
  args: string[],
  answer: string,
  { stdin, ...place }: Place & { stdin?: string },
): Promise<Ran> {
  const command = [process.execPath, ...program, ...args].map(quoted).join(" ");
  const line = stdin === undefined ? command : `yes ${quoted(stdin)} | ${command}`;
  const child = spawn("script", ["-qefc", line, "/dev/null"], { ...place, stdio: ["pipe", "pipe", "pipe"] });
  let seen = "";
  let isAnswered = false;
  child.stdout.on("data", (chunk) => {
    seen += chunk;
    if (isAnswered || !seen.includes("[y/N]")) return;
    isAnswered = true;
    child.stdin.write(answer);
  });
  const ran = await finish(child);
  child.stdin.end();
  return ran;
}

async function finish(child: ReturnType<typeof spawn>): Promise<Ran> {
  let output = "";
  child.stdout?.on("data", (chunk) => (output += chunk));
  child.stderr?.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  return { code, output };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
