import { describe, expect, test } from "vitest";
import { CapturedStream, MemoryApp, run, withoutColours } from "../../../../test/harness/cli.ts";
import { type MemoryWorkbench, shownEvent } from "../../../../test/harness/memory-workbench.ts";
import { inCommandWords } from "./work/command-words.ts";

function appWith(change: (desk: MemoryWorkbench) => void): MemoryApp {
  const app = new MemoryApp();
  change(app.workbenchDesk);
  return app;
}

class BytesStream extends CapturedStream {
  readonly bytes: Buffer[] = [];

  override _write(chunk: Buffer | string, encoding: string, done: () => void): void {
    this.bytes.push(Buffer.from(chunk));
    super._write(chunk, encoding, done);
  }
}

const terminal = () => new CapturedStream({ isTTY: true, columns: 80 });

describe("start", () => {
  test("prints the id, and says beside it where the work is", async () => {
    const { out, err, app } = await run("run start auth/Ab12Cd");
    expect(out).toBe("exec_5d0c00000001\n");
    expect(err).toBe("The task is begun on task-Ab12Cd-add-sign-in, in /home/ada/shop\n");
    expect(app.workbenchDesk.deeds).toEqual([["start", { block_id: "auth", task_id: "Ab12Cd", options: {} }]]);
    expect(app.failsOnSignals).toBe(true);
  });

  test("every option reaches the desk, and what is not given is left to the project", async () => {
    const line =
      "run start auth Ab12Cd --isolation worktree --no-branch --run-tests --auto-commit --finish branch --resolve-dependencies --rollback-on-failure";
    expect((await run(line)).app.workbenchDesk.deeds).toMatchObject([
      [
        "start",
        {
          options: {
            isolation: "worktree",
            create_branch: false,
            run_tests: true,
            auto_commit: true,
            finish: "branch",
            resolve_dependencies: true,
            rollback_on_failure: true,
          },
        },
      ],
    ]);
  });

  test("one that is taken up again can do without tests", async () => {
    const { app } = await run("run start auth Ab12Cd --no-run-tests");
    expect(app.workbenchDesk.deeds).toMatchObject([["start", { options: { run_tests: false } }]]);
    expect(inCommandWords("forge_execute_task for the task again with options {run_tests: false}")).toBe(
      "`forge run start` for the task again with --no-run-tests",
    );
  });
});

test("whoever reads it on a terminal is the person, and is not told to ask one", () => {
  expect(inCommandWords("Where you cannot tell, ask the person.")).toBe("`forge run diff` shows what was changed.");
  expect(inCommandWords("Ask the person to run `git config --global user.name`, each with theirs.")).toBe(
    "Run `git config --global user.name`, each with yours.",
  );
  expect(inCommandWords('forge_execute_task again with `options: {finish: "branch"}`')).toBe(
    "`forge run start` again with --finish branch",
  );
});

describe("watch", () => {
  test("is a line an event on a pipe", async () => {
    const { out, err, code } = await run("run watch");
    expect({ out, err, code }).toEqual({
      out: "2026-11-01T12:00:00.000Z\tfile\tcreated src/auth.ts\n",
      err: "",
      code: 0,
    });
  });

  test("is a line of JSON an event for a script", async () => {
    const app = appWith((desk) => {
      desk.timeline = [shownEvent(), shownEvent({ seq: 2, kind: "completed", message: "Merged." })];
    });
    const lines = (await run("run watch --json", { app })).out.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { execution_id: "exec_5d0c00000001", seq: 1, kind: "file" },
      { seq: 2, kind: "completed" },
    ]);
  });

  test("on a terminal it has a passing line, of which nothing is left", async () => {
    const [stdout, stderr] = [terminal(), terminal()];
    await run("run watch", { stdout, stderr });
    expect(withoutColours(stdout.text)).toMatch(/file {7}created src\/auth\.ts\nexec_5d0c00000001 is completed\.\n$/);
    expect(stderr.text).toMatch(/implementing, 1 file, \d+:\d\d:\d\d/);
    expect(stderr.text.endsWith("\r\x1b[K")).toBe(true);
  });

  test.each([
    ["completed", 0],
    ["failed", 1],
    ["cancelled", 1],
  ] as const)("an execution that ends %s has the exit code %i", async (ending, code) => {
    const app = appWith((desk) => {
      desk.ending = ending;
    });
    expect((await run("run watch", { app })).code).toBe(code);
  });

  test("whoever stops looking on has not failed", async () => {
    const stop = new AbortController();
    const app = appWith((desk) => {
      desk.watch = async () => {
        stop.abort();
        throw new Error("cancelled");
      };
    });
    expect(await run("run watch", { app, signal: stop.signal })).toMatchObject({ code: 0, err: "" });
  });
});

describe("diff", () => {
  test("is exact on a pipe and coloured on a terminal", async () => {
    const { out, app } = await run("run diff");
    expect(out).toBe(app.workbenchDesk.patch);
    const stdout = terminal();
    await run("run diff", { stdout });
    expect(withoutColours(stdout.text)).toBe(out);
    expect(stdout.text).toContain("\x1b[1m--- a/a.ts\x1b[22m\n");
    expect(stdout.text).toContain("\x1b[36m@@ -1 +1 @@\x1b[39m\n\x1b[31m-old\x1b[39m\n\x1b[32m+new\x1b[39m\n");
  });

  test("--stat counts, --json says all, and an empty one says so", async () => {
    expect((await run("run diff --stat")).out).toBe("  created   src/auth.ts  +3 -0\n1 file changed, +3 -0\n");
    expect(JSON.parse((await run("run diff --json")).out)).toMatchObject({
      execution_id: "exec_5d0c00000001",
      truncated: false,
    });
    const app = appWith((desk) => {
      desk.patch = "";
    });
    expect(await run("run diff", { app })).toMatchObject({ out: "", err: "Nothing is changed.\n", code: 0 });
  });

  test("bytes that are no text reach a pipe as they are; elsewhere it is said which files they are in", async () => {
    const text = "diff --git a/r.dat b/r.dat\nindex 1..2\nGIT binary patch\nliteral 3\nKcmZQzU|?imU|;|M\n\n";
    const patch = Buffer.concat([
      Buffer.from("diff --git a/caf.txt b/caf.txt\n@@ -1 +1 @@\n-"),
      Buffer.from([0xe9]),
      Buffer.from(`\n+e\n${text}diff --git a/z.txt b/z.txt\n@@ -0,0 +1 @@\n+z\n`),
    ]);
    const app = appWith((desk) => {
      desk.diff = async () => ({ bytes: patch, truncated: false, aside: ["theirs.txt"] });
    });
    const pipe = new BytesStream();
    const { err } = await run("run diff", { app, stdout: pipe });
    expect(Buffer.concat(pipe.bytes).equals(patch)).toBe(true);
    expect(err).toBe("Changed here as well, but not in it, for it may be somebody else's: theirs.txt.\n");

    const stdout = terminal();
    const said = (await run("run diff", { app, stdout })).err;
    expect(said).toContain("Not UTF-8, so not shown as it is: caf.txt.");
    expect(withoutColours(stdout.text)).toContain(
      "\nBinary file; on a pipe its bytes are here.\ndiff --git a/z.txt b/z.txt\n",
    );
    expect(stdout.text).not.toContain("KcmZQ");

    const json = JSON.parse((await run("run diff --json", { app })).out);
    expect(json).toMatchObject({ not_utf8: ["caf.txt"], aside: ["theirs.txt"] });
    expect(json.diff).toContain("KcmZQ");
  });

  test("a diff that was cut says so", async () => {
    const app = appWith((desk) => {
      desk.diff = async () => ({ bytes: Buffer.from("diff\n"), truncated: true, aside: [] });
    });
    expect((await run("run diff", { app })).err).toContain("cut");
  });
});

describe("test", () => {
  test("says how it went, in the execution that is open", async () => {
    const { out, code, app } = await run("run test --file src/auth.ts --type unit,e2e --coverage --timeout 5");
    expect({ out, code }).toEqual({ out: "tests passed: 8 of 8 passed, in 2.3s (vitest)\n", code: 0 });
    expect(app.workbenchDesk.deeds).toEqual([
      [
        "runTests",
        {
          scope: undefined,
          files: ["src/auth.ts"],
          test_types: ["unit", "e2e"],
          coverage: true,
          timeout_seconds: 5,
          execution_id: "exec_5d0c00000001",
        },
      ],
    ]);
  });

  test("without an execution it is the project's", async () => {
    const app = appWith((desk) => {
      desk.running = [];
    });
    await run("run test", { app });
    expect(app.workbenchDesk.deeds).toMatchObject([["runTests", { execution_id: undefined }]]);
  });

  test("failures have their place, and the exit code is 1", async () => {
    const app = appWith((desk) => {
      desk.tests = {
        ...desk.tests,
        test_results: { status: "failed", total_tests: 3, passed: 1, failed: 1, skipped: 1, duration: "0.1s" },
        failures: [{ name: "signs in", file: "auth.test.ts", line: 12, message: "expected 1\nreceived 2" }],
        coverage: { lines_covered: 42, total_lines: 45, percentage: 93.3 },
        notes: ["Counts are read from text."],
      };
    });
    expect(await run("run test", { app })).toMatchObject({
      code: 1,
      out: [
        "auth.test.ts:12  signs in",
        "    expected 1",
        "    received 2",
        "tests failed: 1 of 3 passed, 1 failed, 1 skipped, in 0.1s (vitest)",
        "coverage: 93.3% of lines (42 of 45)",
        "",
      ].join("\n"),
      err: "Counts are read from text.\n",
    });
    expect((await run("run test --json", { app })).code).toBe(1);
  });

  test("a run without a test is not shown as one that passed", async () => {
    const app = appWith((desk) => {
      desk.tests = { ...desk.tests, test_results: { ...desk.tests.test_results, total_tests: 0, passed: 0 } };
    });
    expect((await run("run test", { app })).out).toBe("no test was run: 0 of 0 passed, in 2.3s (vitest)\n");
  });

  test("a failure without a report shows the end of the output", async () => {
    const app = appWith((desk) => {
      desk.tests = {
        ...desk.tests,
        test_results: { ...desk.tests.test_results, status: "failed" },
        output: `${"noise\n".repeat(50)}SyntaxError: no`,
      };
    });
    const { out } = await run("run test", { app });
    expect(out).toContain("    …\n");
    expect(out).toContain("    SyntaxError: no\n");
    expect(out.split("\n").length).toBeLessThan(20);
  });

  test("a terminal sees how far it is, and nothing is left of it", async () => {
    const stderr = terminal();
    await run("run test", { stderr });
    expect(stderr.text).toContain("[==========          ] 50% src/auth.test.ts");
    expect(stderr.text.endsWith("\r\x1b[K")).toBe(true);
  });

  test("a type that is none is refused", async () => {
    expect(await run("run test --type slow")).toMatchObject({ code: 1, err: expect.stringContaining("integration") });
  });
});

describe("commit and cancel", () => {
  test("commit says what was done, and completes unless told", async () => {
    const { out, code, app } = await run('run commit -m "Add sign-in" --file src/auth.ts');
    expect({ out, code }).toEqual({ out: "Merged into main.\n", code: 0 });
    const execution_id = "exec_5d0c00000001";
    expect(app.workbenchDesk.deeds).toEqual([
      ["commit", { message: "Add sign-in", files: ["src/auth.ts"], complete: true, execution_id }],
    ]);
    const nothingMore = await run("run commit -m x --as-committed");
    expect(nothingMore.app.workbenchDesk.deeds).toMatchObject([["commit", { files: [], complete: true }]]);
    expect(await run("run commit -m x --as-committed --file a.txt")).toMatchObject({ code: 1 });
    const only = await run("run commit 5d -m x --no-complete");
    expect(only.app.workbenchDesk.deeds).toMatchObject([["commit", { complete: false, execution_id }]]);
  });

  test("a task that could not be completed is a failure", async () => {
    const app = appWith((desk) => {
      desk.ending = "failed";
      desk.warnings = ["2 tests fail."];
    });
    expect(await run("run commit -m x", { app })).toMatchObject({ code: 1, err: "warning: 2 tests fail.\n" });
  });

  test.each(["run commit", 'run commit -m " "'])("forge %s needs a message", async (line) => {
    const { code, err, app } = await run(line);
    expect({ code, deeds: app.workbenchDesk.deeds }).toEqual({ code: 1, deeds: [] });
    expect(err).toContain("needs a message");
  });

  test("cancel says what is left", async () => {
    const { out, app } = await run("run cancel --reason Later");
    expect(out).toBe(
      "exec_5d0c00000001 is cancelled; auth/Ab12Cd is pending again.\n  removed  branch task-Ab12Cd-add-sign-in\n",
    );
    expect(app.workbenchDesk.deeds).toEqual([["cancel", { execution_id: "exec_5d0c00000001", reason: "Later" }]]);
  });
});
