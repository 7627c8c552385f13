import { describe, expect, test } from "vitest";
import { type RunOptions, run } from "../../../../test/harness/cli/cli.ts";
import { SetupPlace } from "../../../../test/harness/rooms/setup.ts";
import type { App } from "../../../commons/cli/app.ts";

/** The command on a project of its own, with what a user types in answer to each question; none for a pipe. */
function start(answers?: (string | undefined)[]) {
  const place = new SetupPlace();
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return answers?.[questions.length - 1];
  };
  // The machine is the test's own: which programs are installed on this one does not matter.
  const machine: RunOptions["with"] = (app) => ({
    room: async <Services>() => ({ setup: place.setup }) as Services,
    terminal: { ...terminalOf(app), ask: answers ? ask : undefined },
  });
  return { place, questions, init: (line = "") => run(`init ${line}`, { with: machine }) };
}

/** Its parts are looked up when they are used. */
function terminalOf({ terminal: { launch, openBrowser } }: App): App["terminal"] {
  return { isInteractive: false, ask: undefined, live: undefined, editor: undefined, launch, openBrowser };
}

test("on a pipe it sets up what it finds, and asks nothing", async () => {
  const { place, init } = start();
  place.makeFolder("shop/.cursor");
  const { code, out } = await init();
  expect(code).toBe(0);
  expect(out).toBe("Created  .cursor/mcp.json  Cursor\nCreated  AGENTS.md         all assistants\n");
  const again = await init();
  expect(again).toMatchObject({ code: 0, out: "Nothing to do: everything is already set up.\n" });
});

test("ends with the next step in each client that was set up", async () => {
  const { place, init } = start();
  const { err } = await init("--client claude-code,codex,gemini");
  expect(err).toContain("Claude Code: start `claude` in this folder and approve the server `forge` when it asks.");
  expect(err).toContain("Codex: start `codex` in this folder and trust the project");
  expect(err).toContain("Gemini CLI: start `gemini` in this folder and trust the folder");
  expect((await init("--client claude-code,codex,gemini")).err).not.toContain("approve the server");
  const note = place.read("shop/AGENTS.md");
  for (const tool of [
    "list_tickets",
    "get_ticket_context",
    "forge_get_task_details",
    "forge_execute_task",
    "forge_run_tests",
  ])
    expect(note).toContain(`\`${tool}\``);
});

test("with nothing found it says how to name a client", async () => {
  const { init } = start();
  expect((await init()).err).toContain("No assistants found. Name one with --client.");
});

test("clients are named with commas, spaces and repetition", async () => {
  const { place, init } = start();
  await init("--client=claude-code,cursor --client zed --no-agents-md");
  expect(Object.keys(place.contents())).toEqual(
    expect.arrayContaining(["shop/.mcp.json", "shop/.cursor/mcp.json", "shop/.zed/settings.json"]),
  );
  expect(Object.keys(place.contents())).not.toContain("shop/AGENTS.md");
});

test("--dry-run shows a diff and writes nothing", async () => {
  const { place, init } = start();
  place.write("shop/.mcp.json", '{\n  "a": 1\n}\n');
  const before = place.contents();
  const { code, out } = await init("--client claude-code --dry-run --no-agents-md");
  expect(code).toBe(0);
  expect(out).toContain('--- .mcp.json\n+++ .mcp.json\n@@ -1,3 +1,9 @@\n {\n-  "a": 1\n+  "a": 1,\n+  "mcpServers": {');
  expect(place.contents()).toEqual(before);
});

test("--check fails where something is missing, and writes nothing", async () => {
  const { place, init } = start();
  const before = place.contents();
  const missing = await init("--client claude-code --check");
  expect(missing).toMatchObject({
    code: 1,
    out: "to create  .mcp.json  Claude Code\nto create  AGENTS.md  all assistants\n",
  });
  expect(place.contents()).toEqual(before);
  await init("--client claude-code");
  // A clone in CI has no state folder; that is no fault of anybody's.
  const fresh = start();
  fresh.place.write("shop/.mcp.json", place.read("shop/.mcp.json"));
  fresh.place.write("shop/AGENTS.md", place.read("shop/AGENTS.md"));
  expect(await fresh.init("--check")).toMatchObject({ code: 0 });
});

test("--remove takes it back, and has nothing to do after", async () => {
  const { place, init } = start();
  const before = place.contents();
  await init("--client claude-code,windsurf --skill --claude-md");
  const removal = await init("--remove");
  expect(removal.code).toBe(0);
  expect(removal.err).toContain(
    "Run `forge init --remove --client windsurf` to remove Forge from ~/.codeium/windsurf/mcp_config.json",
  );
  await init("--remove --client windsurf");
  expect(place.contents()).toEqual(before);
  expect((await init("--remove")).out).toBe("Nothing to do: everything is already removed.\n");
});

test("--json gives it all to a program", async () => {
  const { init } = start();
  const { out, code } = await init("--client claude-code --check --json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    applied: false,
    changes: [
      { file: ".mcp.json", action: "create" },
      { file: "AGENTS.md", action: "create" },
    ],
    remarks: [],
    nextSteps: expect.any(Array),
  });
});

test("a broken file ends it with an error that names file and line", async () => {
  const { place, init } = start();
  place.write("shop/.mcp.json", "{\n");
  const before = place.contents();
  const { code, err } = await init("--client cursor,claude-code");
  expect(code).toBe(1);
  expect(err).toMatch(/^error: \.mcp\.json, line 2: this is not valid JSON \(\w+\)\. Nothing was changed\.\n/);
  expect(place.contents()).toEqual(before);
});

test("--check cannot be combined with the others", async () => {
  expect((await start().init("--check --remove")).err).toContain(
    "--check cannot be combined with --dry-run or --remove.",
  );
});

describe("at a terminal", () => {
  function terminal(...answers: (string | undefined)[]) {
    const started = start(answers);
    started.place.makeFolder("shop/.cursor");
    started.place.makeFolder("shop/.vscode");
    started.place.makeFolder("home/.codeium/windsurf");
    return started;
  }

  const filesOf = (out: string) => out.split("\n").flatMap((line) => line.split(/ +/)[1] ?? []);

  test("shows what it found; return takes what stays inside the project", async () => {
    const { init, questions } = terminal("");
    const { out, err } = await init();
    expect(err).toContain("  1. Cursor          .cursor/mcp.json (the project has .cursor)");
    expect(err).toContain("  3. Windsurf        ~/.codeium/windsurf/mcp_config.json, outside this project");
    expect(questions).toEqual([`Set up which? Numbers or names, "all" or "none" [cursor, vscode]: `]);
    expect(filesOf(out)).toEqual([".cursor/mcp.json", ".vscode/mcp.json", "AGENTS.md"]);
  });

  test.each([
    ["1", [".cursor/mcp.json", "AGENTS.md"]],
    ["vscode, 3", [".vscode/mcp.json", "~/.codeium/windsurf/mcp_config.json", "AGENTS.md"]],
    ["all", [".cursor/mcp.json", ".vscode/mcp.json", "~/.codeium/windsurf/mcp_config.json", "AGENTS.md"]],
    ["none", ["AGENTS.md"]],
  ])("an answer of %s", async (answer, files) => {
    expect(filesOf((await terminal(answer).init()).out)).toEqual(files);
  });

  test("an answer that is none of them is asked again", async () => {
    const { init, questions } = terminal("curser", "1");
    expect((await init()).err).toContain("Not on the list. Enter numbers such as 1,3, or all. Did you mean `cursor`?");
    expect(questions).toHaveLength(2);
  });

  test("the end of the input changes nothing", async () => {
    const { init, place } = terminal(undefined);
    const before = place.contents();
    expect(await init()).toMatchObject({ code: 1, err: expect.stringContaining("Nothing was set up.") });
    expect(place.contents()).toEqual(before);
  });

  test.each(["--yes", "--client cursor", "--check", "--dry-run", "--json", "--remove"])(
    "%s asks nothing",
    async (flag) => {
      const { init, questions } = terminal();
      await init(flag);
      expect(questions).toEqual([]);
    },
  );
});
