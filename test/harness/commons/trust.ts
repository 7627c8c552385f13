import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { TrustRecords } from "../../../src/commons/trust/records.ts";
import { Trust } from "../../../src/commons/trust/trust.ts";
import { TrustEditor } from "../../../src/commons/trust/trust-editor.ts";
import { Git } from "../../../src/platform/git/git.ts";
import { bundleProgram } from "../cli/bundle-program.ts";
import { makeSandbox } from "../git/git.ts";

const never = new AbortController().signal;

/** A home directory with trust records, and repositories. */
export function trustSandbox() {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const records = new TrustRecords(join(sandbox.root, "home", ".forge", "trust"));
  const desk = new TrustEditor({ git: new Git({ environment: sandbox.environment }), records });
  return {
    ...sandbox,
    records,
    desk,
    trust: new Trust(records),
    state: (root: string) => desk.state(root, never),
    async trustAll(root: string) {
      const state = await desk.state(root, never);
      await desk.grant(state, "ada");
      return state;
    },
  };
}

export function put(folder: string, name: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), mode);
}

export const modeOf = (path: string) => statSync(path).mode & 0o777;
export const link = (to: string, path: string) => symlinkSync(to, path);
export const move = (from: string, to: string) => renameSync(from, to);
export const copy = (from: string, to: string) => cpSync(from, to, { recursive: true });
export const remove = (path: string) => rmSync(path, { recursive: true });
export const makeFifo = (path: string) => void execFileSync("mkfifo", [path]);
export const read = (path: string) => readFileSync(path, "utf8");

/** Every file below a folder. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** A separate process that trusts these projects in order. */
export async function trustInProcess(home: string, projects: string[]): Promise<void> {
  const child = spawn(
    process.execPath,
    [await bundleProgram(new URL("./trust-process.ts", import.meta.url)), ...projects],
    { env: { ...process.env, HOME: home }, stdio: ["ignore", "ignore", "inherit"] },
  );
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`the trusting process ended with ${code}`);
}

/** Writes the two contents to a file in turn, as fast as it can, until stopped. */
export async function startFlipping(file: string, contents: [string, string]): Promise<() => Promise<void>> {
  const script = `
    const { writeFileSync, renameSync } = require("node:fs");
    const [file, ...contents] = process.argv.slice(1);
    console.log("flipping");
    for (let turn = 0; ; turn++) {
      if (turn % 3 === 0) writeFileSync(file, contents[turn % 2]);
      else { writeFileSync(file + ".new", contents[turn % 2]); renameSync(file + ".new", file); }
    }`;
  const child = spawn(process.execPath, ["-e", script, file, ...contents], { stdio: ["ignore", "pipe", "inherit"] });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  onTestFinished(stop);
  await once(child.stdout, "data");
  return stop;
}
