import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export type WebServer = { url: string; pid: number; end(): Promise<void> };

/** Starts a program that prints its address and ends when its input is closed. */
export async function startWebServer(args: string[], env: Record<string, string>): Promise<WebServer> {
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  const url = await firstLine(child);
  return {
    url,
    pid: child.pid ?? 0,
    async end() {
      const exited = once(child, "exit");
      child.stdin?.end();
      await exited;
    },
  };
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`a server ended with ${code} before it listened`)));
    child.stdout?.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
  });
}
