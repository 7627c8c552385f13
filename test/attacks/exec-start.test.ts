import { chmodSync, closeSync, copyFileSync, mkdirSync, openSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { locateProgram } from "../../src/platform/exec/locate-program.ts";
import { run, toExitReason } from "../../src/platform/exec/run.ts";
import { describeWith, testWith } from "../harness/faults/faults.ts";
import { containments, outcomeOf, testFolder } from "./exec-attacks.ts";

function script(folder: string, name: string, text: string | Buffer, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

for (const containment of containments)
  describeWith(["posix"], `with containment by ${containment}`, () => {
    test("F15 what cannot be started has a reason of its own", async () => {
      const cwd = testFolder();
      mkdirSync(join(cwd, "folder"));
      const cases: [command: string, code: string, reason: string][] = [
        ["forge-no-such-program", "DEPENDENCY_ERROR", "ENOENT"],
        ["./absent.sh", "NOT_FOUND", "ENOENT"],
        ["./folder", "PERMISSION_DENIED", "EACCES"],
        [script(cwd, "plain.sh", "#!/bin/sh\n", 0o644), "PERMISSION_DENIED", "EACCES"],
        [script(cwd, "empty", ""), "DEPENDENCY_ERROR", "ENOEXEC"],
        [script(cwd, "no-interpreter", "touch marker\n"), "DEPENDENCY_ERROR", "ENOEXEC"],
        [script(cwd, "garbage", Buffer.from([0, 1, 2, 3, 255, 254])), "DEPENDENCY_ERROR", "ENOEXEC"],
        [script(cwd, "windows.sh", "#!/bin/sh\r\ntouch marker\r\n"), "DEPENDENCY_ERROR", "CRLF"],
        [script(cwd, "windows-env.sh", "#!/usr/bin/env sh\r\n"), "DEPENDENCY_ERROR", "CRLF"],
        [script(cwd, "elsewhere.sh", "#!/opt/no/such/interpreter -x\n"), "DEPENDENCY_ERROR", "NO_INTERPRETER"],
        ["", "VALIDATION_ERROR", "NUL"],
        ["a\0b", "VALIDATION_ERROR", "NUL"],
        ["x".repeat(100_000), "DEPENDENCY_ERROR", "ENOENT"],
      ];
      for (const [command, code, reason] of cases) {
        const error: unknown = await run(command, [], { cwd, containment }).catch((thrown: unknown) => thrown);
        expect(error, command.slice(0, 99)).toMatchObject({ code, details: { reason } });
        expect(String(error).length).toBeLessThan(1000);
      }
      expect(readdirSync(cwd)).not.toContain("marker");
      const huge = run("true", ["x".repeat(4_000_000)], { cwd, containment });
      await expect(huge).rejects.toMatchObject({ code: "VALIDATION_ERROR", details: { reason: "E2BIG" } });
    });

    testWith(["linux"], "F15 a program that is still being written", async () => {
      const cwd = testFolder();
      const program = join(cwd, "program");
      copyFileSync("/bin/true", program);
      const writing = openSync(program, "r+");
      try {
        const started = run(program, [], { cwd, containment });
        await expect(started).rejects.toMatchObject({ code: "CONFLICT_ERROR", details: { reason: "ETXTBSY" } });
      } finally {
        closeSync(writing);
      }
      expect(await run(program, [], { cwd, containment })).toMatchObject({ code: 0 });
    });

    test("F07 exit code, signal and deadline are three things, and what is printed is none", async () => {
      const cwd = testFolder();
      const ends = async (text: string, deadlineMs = 30_000) =>
        toExitReason(await run("sh", ["-c", text], { cwd, containment, deadlineMs }));
      for (const code of [0, 1, 7, 124, 125, 126, 127, 128, 137, 143, 255])
        expect(await ends(`echo CC PASS; exit ${code}`)).toEqual({ by: "exit", code });
      for (const signal of ["SIGTERM", "SIGKILL", "SIGINT", "SIGHUP", "SIGSEGV", "SIGABRT", "SIGUSR1", "SIGPIPE"])
        expect(await ends(`ulimit -c 0; kill -${signal.slice(3)} $$`)).toEqual({ by: "signal", signal });
      expect(await ends("sleep 600", 300)).toEqual({ by: "deadline" });
      expect(await ends("trap 'exit 0' TERM; while :; do sleep 0.05; done", 500)).toEqual({ by: "deadline" });
      // Looks like the complaint of the program that makes the namespace, but is not about this command.
      expect(await ends("echo 'unshare: failed to execute x: y' >&2; exit 127")).toEqual({ by: "exit", code: 127 });
    });

    test("F01 no shell reads an argument, a folder's or a program's name", async () => {
      const home = testFolder();
      const pieces = [
        "$(touch marker)",
        "`touch marker`",
        ";touch marker;",
        "|touch marker",
        "&&touch marker",
        "\n",
        "'",
      ];
      pieces.push(
        '"',
        "\\",
        "*",
        "~",
        "$IFS",
        "$HOME",
        "!!",
        "<x",
        ">marker",
        "-n",
        "--",
        " ",
        "%PATH%",
        "^",
        "\u001b[0m",
      );
      const nasty = fc
        .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 4 })
        .map((parts) => parts.join(""));
      const argument = nasty.map((text) => text.replaceAll("\0", ""));
      const echo = "#!/usr/bin/env node\nconsole.log(JSON.stringify([process.cwd(), ...process.argv.slice(2)]))\n";
      let turn = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(argument, { maxLength: 4 }), argument, async (args, name) => {
          const cwd = join(home, `${turn++} ${name.replaceAll("/", "").slice(0, 40)}`);
          mkdirSync(cwd);
          const program = script(cwd, `$(touch marker) ${name.replaceAll("/", "").slice(0, 40)}.js`, echo);
          const { code, stdout } = await run(program, args, { cwd, containment });
          expect(code).toBe(0);
          expect(JSON.parse(stdout.toString()).slice(1)).toEqual(args);
          expect(readdirSync(cwd)).toHaveLength(1);
        }),
        { numRuns: 15 },
      );
      expect(readdirSync(home)).toHaveLength(turn);
    });

    test("F06 of our environment a child sees the allow-list and nothing else", async () => {
      const names = [
        "FORGE_TOKEN",
        "FORGE_LOG",
        "FRACTARY_REGISTRY_TOKEN",
        "GITHUB_TOKEN",
        "DATABASE_URL",
        "SSH_AUTH_SOCK",
      ];
      names.push("LD_PRELOAD", "LD_LIBRARY_PATH", "BASH_ENV", "ENV", "GIT_DIR", "GIT_SSH_COMMAND", "GIT_CONFIG_GLOBAL");
      names.push(
        "PYTHONSTARTUP",
        "PERL5OPT",
        "RUBYOPT",
        "DYLD_INSERT_LIBRARIES",
        "npm_config_registry",
        "AWS_SECRET_ACCESS_KEY",
      );
      const planted = Object.fromEntries(names.map((name) => [name, "/canary-7f3a"]));
      const source = `
      Object.assign(process.env, ${JSON.stringify({ ...planted, NODE_OPTIONS: "--require=/canary-7f3a" })});
      const { stdout } = await run("env", [], { cwd: "/", containment: ${JSON.stringify(containment)} });
      console.log(JSON.stringify(stdout.toString()));`;
      const seen = String(await outcomeOf(testFolder(), source));
      expect(seen).not.toContain("canary");
      const allowed = /^(PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|XDG_CONFIG_HOME|PWD|SHLVL|_|OLDPWD)=/;
      expect(seen.split("\n").filter((line) => line !== "" && !allowed.test(line))).toEqual([]);
    });

    testWith(["linux", "bash"], "B06 a child has no descriptor of ours, nor of whoever started us", async () => {
      const folder = testFolder();
      writeFileSync(join(folder, "secret"), "canary-7f3a");
      const look =
        "for fd in /proc/self/fd/*; do echo $(basename $fd) $(readlink $fd); done; cat <&200; cat <&21; cat <&3";
      const source = `
        import { openSync } from "node:fs";
        openSync("secret", "r");
        const options = { cwd: ${JSON.stringify(folder)}, containment: ${JSON.stringify(containment)} };
        const { stdout, stderr } = await run("bash", ["-c", ${JSON.stringify(look)}], options);
        console.log(JSON.stringify(stdout + "" + stderr));`;
      const seen = String(await outcomeOf(folder, source, { before: "exec 3<secret 21<secret 200<secret; " }));
      expect(seen).toMatch(/^0 \/dev\/null\n1 (socket|pipe):/);
      expect(seen).not.toContain("canary");
      const open = seen.split("\n").filter((line) => /^\d+ \//.test(line) && !/\/dev\/null$|\/proc\//.test(line));
      expect(open).toEqual([]);
    });
  });

testWith(["root", "prlimit"], "F15 too many files or processes have a reason of their own", async () => {
  const source = `
    const reason = (error) => error.details?.reason;
    const limit = async (words) => (await run("prlimit", ["--pid", String(process.pid), ...words], { cwd: "/" })).code;
    const { closeSync, openSync } = await import("node:fs");
    const codes = [await limit(["--nofile=512:1024"])];
    const open = [];
    try { for (;;) open.push(openSync("/dev/null", "r")); } catch {}
    for (const descriptor of open.splice(-3)) closeSync(descriptor);
    const files = [await run("true", [], { cwd: "/" }).then(() => "ran", reason)];
    for (const descriptor of open) closeSync(descriptor);
    files.push(await run("true", [], { cwd: "/" }).then(() => "ran", reason));
    process.setgid(${200_000 + process.pid}); process.setuid(${200_000 + process.pid});
    codes.push(await limit(["--nproc=1:1"]));
    const processes = await run("true", [], { cwd: "/" }).then(() => "ran", reason);
    console.log(JSON.stringify({ codes, files, processes }));`;
  const outcome = await outcomeOf(testFolder(), source);
  expect(outcome).toEqual({ codes: [0, 0], files: ["EMFILE", "ran"], processes: "EAGAIN" });
});

describe("F17 batch files on Windows", () => {
  const place = { cwd: "C:\\project", env: { Path: "C:\\tools" } };
  test.each(["npm.cmd", "C:\\tools\\npm.CMD", "run.bat", "run.bat ", "run.cmd. .", ".\\x.BaT."])(
    "%j is refused",
    (command) => {
      const refusal = expect.objectContaining({
        code: "VALIDATION_ERROR",
        details: expect.objectContaining({ reason: "BATCH" }),
      });
      expect(() => locateProgram(command, place, "win32")).toThrow(refusal);
    },
  );
});

testWith(["posix"], "F01 no folder relative to the project is searched", async () => {
  const cwd = testFolder();
  script(cwd, "planted", "#!/bin/sh\ntouch marker\n");
  for (const PATH of [".", "", ":", `bin:.:${cwd}/..`])
    await expect(run("planted", [], { cwd, env: { PATH } })).rejects.toMatchObject({ details: { reason: "ENOENT" } });
  expect(readdirSync(cwd)).toEqual(["planted"]);
});
