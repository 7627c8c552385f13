import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  configuredTest,
  makeProgram,
  processesIn,
  testingEnvironment,
  testingSandbox,
  untilThere,
} from "../../../test/harness/commons/testing.ts";
import { filesBelow, put, read } from "../../../test/harness/commons/trust.ts";
import { testWith } from "../../../test/harness/faults/faults.ts";
import { listenOnLoopback } from "../../../test/harness/http/loopback.ts";

const { PATH: searchPath = "" } = testingEnvironment;
const shell = (script: string) => ({ ...configuredTest("./test.sh"), "test.sh": `#!/bin/sh\n${script}\n` });

describe("F07 the exit code decides", () => {
  test.each([
    ["says PASS, ends with 1", "echo 'PASS: 12 passed, 0 failed'; exit 1", "failed", 1],
    ["says FAIL, ends with 0", "echo 'FAIL: 3 failed'; exit 0", "passed", 0],
    ["says nothing, ends with 77", "exit 77", "failed", 77],
  ])("%s", async (_name, script, status, exitCode) => {
    const { project, run } = testingSandbox();
    const root = await project(shell(script));
    const outcome = await run(root);
    expect(outcome).toMatchObject({ runner: "configured", status, exitCode, command: ["./test.sh"] });
    expect(outcome.failures.map(({ name }) => name)).toEqual(exitCode === 0 ? [] : [`exit code ${exitCode}`]);
    expect(outcome.notes).toEqual([expect.stringContaining("left no readable report")]);
  });

  test("killed by a signal is no verdict; nor is a deadline", async () => {
    const { project, run, runs } = testingSandbox();
    const killed = await project(shell("echo before; kill -SEGV $$"), "killed");
    await expect(run(killed)).rejects.toMatchObject({
      code: "DEPENDENCY_ERROR",
      message: expect.stringContaining("SIGSEGV"),
    });
    const hanging = await project(shell("echo begun; sleep 600"), "hanging");
    await expect(run(hanging, { deadlineMs: 300 })).rejects.toMatchObject({
      code: "TIMEOUT",
      details: expect.objectContaining({ output: expect.stringContaining("begun") }),
    });
    expect(await runs.latest({ limit: 10 })).toEqual([]);
  });
});

describe("a hostile test command", () => {
  /** Two that nobody waits for: one in a session of its own, one that heeds no request. Ready when both are there. */
  const family = `
    setsid sh -c 'echo > one; sleep 600' &
    sh -c 'trap "" TERM; echo > two; while :; do sleep 1; done' &
    while [ ! -e one ] || [ ! -e two ]; do sleep 0.05; done`;

  testWith(
    ["rootOnLinux"],
    "F02, F14 that forks and daemonises leaves nobody behind: ended, cancelled or late",
    async () => {
      const { project, run } = testingSandbox();
      const ending = await project(shell(`${family}\nexit 0`), "ending");
      expect(await run(ending)).toMatchObject({ status: "passed" });
      expect(processesIn(ending)).toEqual([]);
      const waiting = await project(shell(`${family}\necho > ready\nsleep 600`), "waiting");
      const controller = new AbortController();
      const stopped = expect(run(waiting, { signal: controller.signal })).rejects.toMatchObject({ code: "CANCELLED" });
      await untilThere(join(waiting, "ready"));
      expect(processesIn(waiting).length).toBeGreaterThan(2);
      controller.abort();
      await stopped;
      expect(processesIn(waiting)).toEqual([]);
      const late = await project(shell(`${family}\nsleep 600`), "late");
      await expect(run(late, { deadlineMs: 1_000 })).rejects.toMatchObject({ code: "TIMEOUT" });
      expect(processesIn(late)).toEqual([]);
    },
  );

  test("F03 that floods: both ends are kept, and the run goes on", async () => {
    const { project, run } = testingSandbox();
    const root = await project(
      shell("echo first; yes | head -c 20000000; printf 'x%.0s' 1 2 3; echo; echo last; exit 3"),
    );
    const outcome = await run(root);
    expect(outcome).toMatchObject({ status: "failed", exitCode: 3 });
    expect(outcome.output.length).toBeLessThanOrEqual(8_000);
    expect(outcome.output).toMatch(/y\nxxx\nlast$/);
  });

  test("F04 that prints what is no text", async () => {
    const { project, run } = testingSandbox();
    const root = await project(shell("printf 'a\\377b\\033[31mred\\033[0m\\000 end\\r\\n'; exit 1"));
    const outcome = await run(root);
    expect(outcome.output).toBe("a\uFFFDbred end");
    expect(outcome.failures[0]?.message).toBe("a\uFFFDbred end");
  });

  test("F06 that looks at the environment sees the caller's, without secrets and loaders, and nothing besides", async () => {
    const given = {
      PATH: searchPath,
      MY_FLAG: "on",
      FORCE_COLOR: "1",
      PGDATABASE: "shop",
      DATABASE_URL: "postgres://shop:shop@localhost:5432/shop",
      MAX_TOKENS: "4096",
      TOKENIZERS_PARALLELISM: "false",
    };
    const hidden = {
      FORGE_HOME: "/x",
      GITHUB_TOKEN: "abc",
      DB_PASSWORD: "hunter2",
      SIGNING_KEY: "abc",
      CLOUD_URL: "https://ada:hunter2secret@db.example.com/x",
      PLAIN: `ghp_${"a1B2".repeat(9)}`,
      SSH_AUTH_SOCK: "/tmp/agent",
      NODE_OPTIONS: "--no-warnings",
      LD_LIBRARY_PATH: "/x",
      BASH_ENV: "/x",
      PYTHONSTARTUP: "/x",
      GIT_DIR: "/x",
    };
    const { project, run, environment } = testingSandbox({ exactly: { ...given, ...hidden } });
    expect(Object.keys(environment).sort()).toEqual(Object.keys({ ...given, ...hidden }).sort());
    const root = await project(shell("env | sort; exit 1"));
    const { output, withheld } = await run(root);
    const names = output.split("\n").map((line) => line.split("=")[0] ?? "");
    expect(names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_"].includes(name))).toEqual(Object.keys(given).sort());
    expect(withheld).toEqual(Object.keys(hidden).sort());
  });

  test("F06 a project passes on what it names, once a person has allowed it; Forge's own settings never", async () => {
    const { repository, run, trustAll } = testingSandbox({ NODE_OPTIONS: "--no-warnings", API_KEY: "k" });
    const command = JSON.parse(configuredTest("./test.sh")[".forge/workbench.json"]);
    const root = repository("shop", { "test.sh": "" });
    makeProgram(join(root, "test.sh"), '#!/bin/sh\necho "[$NODE_OPTIONS][$API_KEY][$FORGE_TOKEN]"\nexit 1\n');
    put(root, ".forge/workbench.json", JSON.stringify(command));
    await trustAll(root);
    expect((await run(root)).output).toBe("[][][]");
    const passEnvironment = ["NODE_OPTIONS", "API_KEY", "FORGE_TOKEN"];
    put(root, ".forge/workbench.json", JSON.stringify({ ...command, passEnvironment }));
    await expect(run(root)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
    await trustAll(root);
    const passed = await run(root);
    expect(passed.output).toBe("[--no-warnings][k][]");
    expect(passed.withheld).toContain("FORGE_TOKEN");
  });

  testWith(
    ["prlimit"],
    "that runs away meets a limit, which is no verdict; the result names those in force",
    async () => {
      const { project, run } = testingSandbox();
      const limited = (script: string, limits: object) => ({
        ...shell(script),
        ".forge/workbench.json": JSON.stringify({ testCommand: ["./test.sh"], limits }),
      });
      const busy = await project(limited("while :; do :; done", { cpuSeconds: 1 }), "busy");
      await expect(run(busy)).rejects.toMatchObject({ details: { outcome: "LIMIT", limit: "CPU time" } });
      const writing = await project(limited("head -c 3000000 /dev/zero > big", { fileMegabytes: 1 }), "writing");
      await expect(run(writing)).rejects.toMatchObject({ details: { outcome: "LIMIT", limit: "file size" } });
      const healthy = await project(shell("node -e 'fetch' && exit 0"), "healthy");
      expect((await run(healthy)).limits?.join(" ")).toMatch(/7200 s of CPU per process.*MB of data per process/);
    },
  );

  testWith(["rootOnLinux"], "F16 reaches no network where the project says so, but its own loopback", async () => {
    const port = await listenOnLoopback();
    const script = `
      const net = require("node:net");
      const reach = (port) => new Promise((resolve) => net.connect(port, "127.0.0.1").on("connect", () => resolve("yes")).on("error", () => resolve("no")));
      const own = net.createServer().listen(0, "127.0.0.1", async () => {
        console.log("outside " + (await reach(${port})) + ", own " + (await reach(own.address().port)));
        process.exit();
      });`;
    const { project, run } = testingSandbox();
    const files = (network: string) => ({
      "test.cjs": script,
      ".forge/workbench.json": JSON.stringify({ testCommand: ["node", "test.cjs"], network }),
    });
    const cut = await run(await project(files("none"), "cut"));
    expect([cut.output, cut.limits]).toEqual(["outside no, own yes", expect.arrayContaining(["no network"])]);
    expect((await run(await project(files("all"), "open"))).output).toBe("outside yes, own yes");
  });

  testWith(["rootOnLinux"], "F16 nor does a program that is asked where the code came from", async () => {
    const port = await listenOnLoopback();
    const bin = join(testingSandbox().root, "bin");
    const go = `#!${process.execPath}
      const { writeFileSync } = require("node:fs");
      if (process.argv[2] === "test") {
        console.log(JSON.stringify({ Action: "pass", Package: "shop", Test: "TestA" }));
      } else require("node:net").connect(${port}, "127.0.0.1")
        .on("connect", () => { writeFileSync("${bin}/reached", ""); process.exit(); })
        .on("error", () => { writeFileSync("${bin}/asked", ""); process.exit(); });`;
    makeProgram(join(bin, "go"), go);
    const { project, run } = testingSandbox({ PATH: `${bin}:${searchPath}` });
    const files = { "go.mod": "module shop\n", "a_test.go": "package shop\nfunc TestA(t *testing.T) {}\n" };
    const root = await project({ ...files, ".forge/workbench.json": '{"network":"none"}' });
    expect(await run(root)).toMatchObject({ runner: "go", origin: { from: "unknown" } });
    expect(filesBelow(bin)).toEqual([join(bin, "asked"), join(bin, "go")]);
  });

  test("whose reports are read: the folder they were in is outside the project, and gone", async () => {
    const { project, run } = testingSandbox();
    const root = await project({
      "package.json": '{"scripts":{"test":"node --test"}}',
      "a.test.js": "",
    });
    const { command } = await run(root);
    const [, folder = ""] = /--test-reporter=(.+)\/reporter\.mjs/.exec(command.join(" ")) ?? [];
    expect(folder).toContain("forge-tests-");
    expect(folder.startsWith(root)).toBe(false);
    expect(() => filesBelow(folder)).toThrow();
  });
});

describe("trust", () => {
  test("nothing runs before it; a changed command, script or file asks again", async () => {
    const { repository, run, trustAll, state } = testingSandbox();
    const root = repository("shop", {
      ...configuredTest("npm", "run", "check"),
      "package.json": JSON.stringify({ scripts: { check: "touch ran" } }),
    });
    const required = expect.objectContaining({ code: "TRUST_REQUIRED" });
    await expect(run(root)).rejects.toEqual(required);
    expect((await state(root)).items.map(({ id, runs }) => `${id} = ${runs}`)).toEqual([
      "package.json:check = sh -c touch ran",
      "workbench:testCommand = npm run check",
    ]);
    await trustAll(root);
    expect(await run(root)).toMatchObject({ status: "passed" });
    expect(read(join(root, "ran"))).toBe("");
    put(root, "package.json", JSON.stringify({ scripts: { check: "touch ran again" } }));
    await expect(run(root)).rejects.toEqual(required);
    await trustAll(root);
    put(root, ".forge/workbench.json", JSON.stringify({ testCommand: ["npm", "run", "check", "--", "x"] }));
    await expect(run(root)).rejects.toEqual(required);
  });

  test("a makefile and what it includes are part of the command", async () => {
    const { repository, run, trustAll } = testingSandbox();
    const root = repository("shop", {
      ...configuredTest("make", "test"),
      Makefile: "include rules.mk\ntest:\n\t@true\n",
      "rules.mk": "X = 1\n",
    });
    const state = await trustAll(root);
    expect(state.items.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["workbench:testCommand", "script:Makefile", "script:rules.mk"]),
    );
    for (const name of ["rules.mk", "Makefile"]) {
      put(root, name, "test:\n\ttouch evil\n");
      await expect(run(root)).rejects.toMatchObject({ code: "TRUST_REQUIRED", message: expect.stringContaining(name) });
      await trustAll(root);
    }
  });

  test("a file that is run is pinned by its bytes, and the script that names a runner by its words", async () => {
    const { project, run } = testingSandbox();
    const root = await project(shell("exit 0"));
    expect(await run(root)).toMatchObject({ status: "passed" });
    makeProgram(join(root, "test.sh"), "#!/bin/sh\ntouch evil\n");
    await expect(run(root)).rejects.toMatchObject({
      code: "TRUST_REQUIRED",
      message: expect.stringContaining("test.sh"),
    });
    const other = await project({ "package.json": '{"scripts":{"test":"node --test"}}', "a.test.js": "" }, "other");
    expect(await run(other)).toMatchObject({ status: "passed" });
    put(other, "package.json", '{"scripts":{"test":"node --require ./evil.js --test"}}');
    await expect(run(other)).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
  });

  test("a work tree has its repository's command and trust", async () => {
    const { project, run, git } = testingSandbox();
    const root = await project({ ...shell('pwd > "$PWD/where"'), ".gitignore": ".forge\n" });
    const tree = join(root, ".forge", "worktrees", "one");
    git(root, "worktree", "add", "--quiet", tree);
    makeProgram(join(tree, "test.sh"), read(join(root, "test.sh")));
    expect(await run(tree)).toMatchObject({ status: "passed" });
    expect(read(join(tree, "where")).trim()).toBe(tree);
  });
});

describe("evidence", () => {
  test("the tree it ran on; where that changed meanwhile, evidence for neither", async () => {
    const { project, run, runs, trees } = testingSandbox();
    const root = await project(shell("exit 0"));
    trees.push("aaaa");
    const first = await run(root);
    expect(first).toMatchObject({ tree: "aaaa", id: expect.stringMatching(/^test_[0-9a-f]{16}$/) });
    expect(first.treeChanged).toBeUndefined();
    trees.push("bbbb");
    const second = await run(root);
    expect(second).toMatchObject({ tree: "aaaa", treeChanged: true });
    expect(await runs.latest({ tree: "aaaa", limit: 5 })).toEqual([first]);
    expect(await runs.latest({ root, limit: 5 })).toHaveLength(2);
    expect(await runs.get(second.id)).toEqual(second);
  });
});

describe("F12 one run of a project at a time", () => {
  test("twenty at once take turns; one that is cancelled leaves the queue", async () => {
    const { project, run } = testingSandbox();
    const root = await project(shell("mkdir busy || exit 9\ncat log 2>/dev/null | wc -l\necho x >> log\nrmdir busy"));
    const controller = new AbortController();
    const calls = Array.from({ length: 20 }, (_, index) =>
      run(root, index === 7 ? { signal: controller.signal } : {}).then(
        ({ status }) => status,
        ({ code }: { code: string }) => code,
      ),
    );
    controller.abort();
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === "passed")).toHaveLength(19);
    expect(outcomes[7]).toBe("CANCELLED");
    expect(read(join(root, "log"))).toBe("x\n".repeat(19));
  });
});

describe("what to run", () => {
  test("F10 names of files are only ever names of files", async () => {
    const { project, run } = testingSandbox();
    const root = await project({
      "package.json": '{"scripts":{"test":"node --test"}}',
      "a.test.js": "",
      "--watch": "",
    });
    for (const file of ["--config=evil.js", "-r", "../a.test.js", "/etc/passwd", "missing.js", ".", "a\0b"]) {
      await expect(run(root, { scope: "related_to_files", files: [file] }), file).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
      });
    }
    const outcome = await run(root, { scope: "related_to_files", files: ["a.test.js", "--watch"] });
    expect(outcome.command.at(-1)).toBe("./a.test.js");
  });

  test("a configured command can only run everything, and says so", async () => {
    const { project, run } = testingSandbox();
    const root = await project(shell("exit 0"));
    expect(await run(root, { types: ["e2e"] })).toMatchObject({
      status: "passed",
      notes: [expect.stringContaining("all were run"), expect.any(String)],
    });
  });

  test("no runner: what was looked for, and how to name one", async () => {
    const { project, run } = testingSandbox();
    const root = await project({ "README.md": "" });
    await expect(run(root)).rejects.toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("Cargo.toml"),
      next: [expect.stringContaining('{"testCommand": ["make", "test"]}')],
    });
  });

  test("progress: at the start, and now and then while nothing is to be counted", async () => {
    const { project, run, reports } = testingSandbox();
    const root = await project(shell("sleep 3.5"));
    await run(root);
    const [first, ...others] = reports.map(({ message }) => message);
    expect(first).toBe("tests started");
    expect(others[0]).toMatch(/^tests running, \d+ s$/);
  });
});
