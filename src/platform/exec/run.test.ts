import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeWith } from "../../../test/harness/faults/faults.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { childEnvironment } from "../host/environment.ts";
import { killAllChildren, run } from "./run.ts";

const execFileAsync = promisify(execFile);

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "forge-exec-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const node = (source: string, ...args: string[]) => [process.execPath, ["-e", source, ...args]] as const;

/** A leader with two children, one of which ignores SIGTERM; each writes its pid. None leaves the process group. */
const family = `
  echo $$ > leader
  sh -c 'trap "" TERM; echo $$ > stubborn; while :; do sleep 1; done' &
  sh -c 'echo $$ > meek; sleep 600' &
  wait`;

function pidsSoFar(): number[] {
  const files = ["leader", "stubborn", "meek"].map((name) => join(folder, name));
  return files.map((file) => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0)).filter((pid) => pid > 0);
}

async function familyPids(): Promise<number[]> {
  await until(() => pidsSoFar().length === 3);
  return pidsSoFar();
}

async function until(condition: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error("it did not come about in 20 s");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A zombie is dead; who reaps it is not our business. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const state = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
    return !/\) Z /.test(state);
  } catch {
    return false;
  }
}

describe("run", () => {
  it("gives exit code and both streams", async () => {
    const result = await run(...node("console.log('out'); console.error('err'); process.exit(3)"), { cwd: folder });
    expect(result).toMatchObject({ code: 3, signal: null, truncated: false, timedOut: false });
    expect(result.stdout.toString()).toBe("out\n");
    expect(result.stderr.toString()).toBe("err\n");
  });

  it("passes arguments as they are: no shell looks at them", async () => {
    const strange = ["$(touch marker)", "`touch marker`", "; touch marker", "a b", '"', "*", ""];
    const result = await run(...node("console.log(JSON.stringify(process.argv.slice(1)))", ...strange), {
      cwd: folder,
    });
    expect(JSON.parse(result.stdout.toString())).toEqual(strange);
    expect(existsSync(join(folder, "marker"))).toBe(false);
  });

  it("feeds input, and survives a child that does not read it", async () => {
    const echoed = await run(...node("process.stdin.pipe(process.stdout)"), { cwd: folder, input: "hello" });
    expect(echoed.stdout.toString()).toBe("hello");
    const deaf = await run(...node("process.exit(0)"), { cwd: folder, input: Buffer.alloc(4_000_000) });
    expect(deaf.code).toBe(0);
  });

  it("keeps head and tail of an endless output and says so", async () => {
    const maxOutputBytes = 10_000;
    const source = "for (let i = 0; i < 200000; i++) process.stdout.write('line ' + i + '\\n')";
    const result = await run(...node(source), { cwd: folder, maxOutputBytes });
    const text = result.stdout.toString();
    expect(result).toMatchObject({ code: 0, truncated: true });
    expect(text).toMatch(/^line 0\nline 1\n/);
    expect(text).toMatch(/bytes left out/);
    expect(text).toMatch(/line 199999\n$/);
    expect(text.length).toBeLessThan(maxOutputBytes + 100);
  });

  it("hands output to a reader and keeps none of it", async () => {
    let bytes = 0;
    const onStdout = (chunk: Buffer) => {
      bytes += chunk.length;
    };
    const result = await run(...node("process.stdout.write('x'.repeat(3000000))"), { cwd: folder, onStdout });
    expect(bytes).toBe(3_000_000);
    expect(result).toMatchObject({ truncated: false, stdout: Buffer.alloc(0) });
  });

  it("shows what comes on stderr as it comes, and keeps it", async () => {
    let seen = "";
    const onStderr = (chunk: Buffer) => {
      seen += chunk.toString();
    };
    const result = await run(...node("console.error('err')"), { cwd: folder, onStderr });
    expect([seen, result.stderr.toString()]).toEqual(["err\n", "err\n"]);
  });

  it("fails with what its reader throws", async () => {
    const onStdout = () => {
      throw new Error("cannot read this");
    };
    await expect(
      run(...node("console.log(1); setInterval(() => {}, 1000)"), { cwd: folder, onStdout }),
    ).rejects.toThrow("cannot read this");
  });

  it("starts nothing once cancelled", async () => {
    const started = run(...node("require('fs').writeFileSync('marker', '')"), {
      cwd: folder,
      signal: AbortSignal.abort(),
    });
    await expect(started).rejects.toMatchObject({ code: "CANCELLED" });
    expect(existsSync(join(folder, "marker"))).toBe(false);
  });

  it("explains a missing program, a missing folder and a NUL character", async () => {
    const missing = await run("forge-no-such-program", [], { cwd: folder }).catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(ForgeError);
    expect(missing).toMatchObject({ code: "DEPENDENCY_ERROR", message: expect.stringContaining("was not found") });
    await expect(run(process.execPath, [], { cwd: join(folder, "absent") })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(run(process.execPath, ["a\0b"], { cwd: folder })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  it("shows the child nothing of our environment beyond the allow-list", async () => {
    const secrets = [
      "FORGE_TOKEN",
      "GITHUB_TOKEN",
      "SSH_AUTH_SOCK",
      "NODE_OPTIONS",
      "LD_PRELOAD",
      "BASH_ENV",
      "GIT_DIR",
    ];
    const ours = Object.fromEntries(secrets.map((name) => [name, "canary"]));
    const env = childEnvironment({ ...process.env, ...ours, LC_TIME: "C" });
    const result = await run(...node("console.log(JSON.stringify(process.env))"), { cwd: folder, env });
    expect(result.stdout.toString()).not.toContain("canary");
    const seen = Object.keys(JSON.parse(result.stdout.toString()));
    expect(seen).toEqual(expect.arrayContaining(["PATH", "LC_TIME"]));
  });
});

describeWith(["posix"], "run, with process groups", () => {
  it("explains a program that may not be executed", async () => {
    const script = join(folder, "script");
    writeFileSync(script, "#!/bin/sh\n");
    chmodSync(script, 0o644);
    await expect(run(script, [], { cwd: folder })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });

  it("has ended the whole family when a cancelled call is answered", async () => {
    const controller = new AbortController();
    const running = run("sh", ["-c", family], { cwd: folder, signal: controller.signal });
    const pids = await familyPids();
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: "CANCELLED" });
    await until(() => !pids.some(isAlive));
  });

  it("has ended the whole family when the deadline is over", async () => {
    const result = await run("sh", ["-c", family], { cwd: folder, deadlineMs: 1500 });
    expect(result).toMatchObject({ timedOut: true, code: null, signal: "SIGTERM" });
    await until(() => !pidsSoFar().some(isAlive));
  });

  it("ends every family at once with killAllChildren", async () => {
    const running = run("sh", ["-c", family], { cwd: folder });
    const pids = await familyPids();
    killAllChildren();
    expect(await running).toMatchObject({ signal: "SIGKILL" });
    await until(() => !pids.some(isAlive));
  });

  it("drains an endless stream until the deadline", async () => {
    const result = await run("yes", [], { cwd: folder, deadlineMs: 500, maxOutputBytes: 20_000 });
    expect(result).toMatchObject({ timedOut: true, truncated: true });
    expect(result.stdout.length).toBeLessThan(21_000);
  });

  it("answers although a descendant keeps the pipes open, and ends it", async () => {
    const result = await run("sh", ["-c", "sleep 600 & echo $! > meek; echo done"], { cwd: folder });
    expect(result).toMatchObject({ code: 0, timedOut: false });
    expect(result.stdout.toString()).toBe("done\n");
    const pid = Number(readFileSync(join(folder, "meek"), "utf8"));
    await until(() => !isAlive(pid));
  });

  it("leaves nobody behind when the program ends, and keeps children off its stdin and stdout", async () => {
    const program = join(folder, "program.mts");
    const exec = fileURLToPath(new URL("./run.ts", import.meta.url));
    const rude = "cat; echo POLLUTION; echo POLLUTION >&2";
    writeFileSync(
      program,
      `import { existsSync } from "node:fs";
       import { run } from ${JSON.stringify(exec)};
       const cwd = ${JSON.stringify(folder)};
       await run("sh", ["-c", ${JSON.stringify(rude)}], { cwd });
       void run("sh", ["-c", ${JSON.stringify(family)}], { cwd });
       const look = () => ["leader", "stubborn", "meek"].every((name) => existsSync(cwd + "/" + name));
       setInterval(() => look() && process.exit(0), 10);`,
    );
    const tsx = fileURLToPath(import.meta.resolve("tsx"));
    const outcome = execFileAsync(process.execPath, ["--import", tsx, program], { timeout: 30_000 });
    const { stdout, stderr } = await outcome;
    expect(stdout + stderr).toBe("");
    const pids = await familyPids();
    await until(() => !pids.some(isAlive));
  });
});

it.runIf(process.platform === "linux")("a program gets no more memory than it may have", async () => {
  const [program, args] = node("const all = []; for (let n = 0; n < 20; n++) all.push(Buffer.alloc(2 ** 28, 1));");
  const { code } = await run(program, args, { cwd: folder, env: childEnvironment(), memoryMegabytes: 1_024 });
  expect(code).not.toBe(0);
  expect((await run(program, ["-e", ""], { cwd: folder, memoryMegabytes: 1_024 })).code).toBe(0);
});
