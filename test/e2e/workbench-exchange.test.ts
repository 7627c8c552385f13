import { describe, expect, test } from "vitest";
import { installPackages } from "../harness/commons/testing.ts";
import { type ClientEra, eras } from "../harness/mcp/client.ts";
import type { Json } from "../harness/mcp/wire.ts";
import { blockInFile, fileOf, taskInFile } from "../harness/rooms/workbench/workbench-board.ts";
import { Assistant, makeWorkbenchProject } from "../harness/rooms/workbench/workbench-program.ts";

const criteria = ["A user can register", "A user can sign in and receives a token"];
const board = fileOf(
  blockInFile(
    "AuthService",
    "abc123",
    [
      taskInFile("xyz789", {
        task_name: "Add user authentication",
        description: "Sign-in by token",
        acceptance_criteria: criteria,
        dependencies: ["task_abc", "task_def"],
        files_affected: ["src/auth.js", "src/models.js"],
      }),
      taskInFile("task_abc", { status: "[COMPLETED]" }),
      taskInFile("task_def", { status: "[COMPLETED]" }),
    ],
    { connections: { input_connections: [{ from_module: "ApiGateway" }], output_connections: [] } },
  ),
  blockInFile("ApiGateway", "gate01", []),
);

const files = {
  ".gitignore": "node_modules\n",
  "blocks_config.json": board,
  "package.json": JSON.stringify({
    name: "shop",
    type: "module",
    scripts: { test: "vitest run", build: "node build.js" },
    dependencies: { express: "^5.0.0" },
    devDependencies: { vitest: "*" },
  }),
  "src/main.js":
    '/** The entry point of the shop. */\nimport { user } from "./models.js";\nconsole.log(user("ada"));\n',
  "src/models.js": "/** The data of the shop. */\nexport const user = (name) => ({ name });\n",
  "src/models.test.js":
    'import { expect, test } from "vitest";\nimport { user } from "./models.js";\ntest("has a name", () => expect(user("ada").name).toBe("ada"));\n',
};
const auth =
  'import { user } from "./models.js";\n\nexport const signIn = (name) => ({ ...user(name), token: "t" });\n';
const authTest = (token: string) => `import { expect, test } from "vitest";
import { signIn } from "./auth.js";

test("gives a token", () => expect(signIn("ada").token).toBe("${token}"));
`;
const message = "Implement sign-in\n\n- Add auth.js\n- Meets all acceptance criteria";
const task = { block_id: "abc123", task_id: "xyz789" };
const branch = "task-xyz789-add-user-authentication";

/** What the client has to say where it wants to be told of issues as they come. */
async function askForLogs(assistant: Assistant, era: ClientEra): Promise<Json | undefined> {
  if (era === "modern") return { "io.modelcontextprotocol/logLevel": "warning" };
  await assistant.client.setLoggingLevel("warning");
  return undefined;
}

describe.each(eras)("the exchange of the workbench, over a pipe (%s)", (era) => {
  test("from the first greeting to the merged branch", { timeout: 180_000 }, async () => {
    const project = makeWorkbenchProject(files);
    installPackages(project.cwd);
    const assistant = await Assistant.start(project, era);

    expect(assistant.client.getServerVersion()).toMatchObject({ name: "Forge MCP Server" });
    const { tools } = await assistant.client.listTools();
    const given = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
    expect(Object.keys(given.get("forge_get_project_info")?.properties ?? {})).toContain("include_git_info");
    expect(Object.keys(given.get("forge_get_tasks")?.properties ?? {})).toEqual(
      expect.arrayContaining(["block_id", "status", "include_dependencies"]),
    );
    expect(given.get("forge_execute_task")).toMatchObject({
      type: "object",
      required: ["block_id", "task_id"],
      properties: { options: { type: "object" } },
    });

    const info = await assistant.ok("forge_get_project_info", { include_git_info: true, include_stats: true });
    expect(info).toMatchObject({
      project: {
        name: "shop",
        type: "javascript",
        root_directory: project.cwd,
        architecture: expect.any(String),
        current_branch: "main",
        git_status: "clean",
        dependencies: expect.arrayContaining(["express"]),
        test_framework: expect.stringContaining("vitest"),
        build_command: "npm run build",
      },
      statistics: {
        total_files: Object.keys(files).length,
        js_files: 3,
        total_blocks: 2,
        total_tasks: 3,
        completed_tasks: 2,
      },
    });

    const details = await assistant.ok("forge_get_task_details", { ...task, include_context: true });
    expect(details).toMatchObject({
      task: {
        id: "xyz789",
        name: "Add user authentication",
        description: "Sign-in by token",
        acceptance_criteria: criteria,
        dependencies: ["task_abc", "task_def"],
        files_affected: ["src/auth.js", "src/models.js"],
        related_blocks: ["ApiGateway"],
      },
      context: {
        existing_files: { "src/models.js": expect.stringContaining("The data of the shop") },
        dependencies_status: { task_abc: "completed", task_def: "completed" },
        related_code_patterns: expect.any(Array),
      },
    });

    const options = { create_branch: true, run_tests: true, notify_progress: true };
    const started = await assistant.ok("forge_execute_task_stream", { ...task, options });
    const execution = String(started["execution_id"]);
    const uri = `forge://executions/${execution}`;
    expect(started).toMatchObject({
      status: "started",
      branch_created: branch,
      execution_id: expect.stringMatching(/^exec_\w+$/),
      message: expect.stringMatching(/^Task execution started\./),
      resource: uri,
    });
    expect(project.git("branch", "--show-current")).toBe(branch);
    expect(await assistant.ok("forge_get_tasks", { status: ["in_progress"] })).toMatchObject({
      tasks: [{ id: "xyz789", name: "Add user authentication", block_id: "abc123", status: "in_progress" }],
      total: 1,
    });

    await assistant.subscribe(uri, era);
    /** The answer, once subscribers have heard of what was done. */
    const announced = async (name: string, args: Json, meta?: Json) => {
      const before = assistant.updatesOf(uri);
      const answer = await assistant.ok(name, args, meta ? { meta } : {});
      await expect.poll(() => assistant.updatesOf(uri), { timeout: 15_000 }).toBeGreaterThan(before);
      return answer;
    };

    const read = await assistant.ok("forge_read_file", { file_path: "src/main.js", include_context: true });
    expect(read).toMatchObject({
      file_path: "src/main.js",
      content: files["src/main.js"],
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      encoding: "utf8",
      total_lines: 3,
      truncated: false,
      context: expect.any(Object),
    });

    const written = { file_path: "src/auth.js", content: auth, create_if_not_exists: true, purpose: "Sign-in" };
    expect(await announced("forge_write_file", written)).toMatchObject({
      status: "success",
      file_path: "src/auth.js",
      action: "created",
      lines_added: 3,
      git_status: "new file",
    });
    expect(project.text("src/auth.js")).toBe(auth);
    const untrusted = await assistant.refused("forge_run_tests", {});
    expect(untrusted).toMatchObject({ code: "TRUST_REQUIRED", suggestions: [expect.stringContaining("forge trust")] });
    const tests = { file_path: "src/auth.test.js", content: authTest("wrong") };
    // The task does not list it, and so far the project is somebody else's.
    expect(await assistant.refused("forge_write_file", tests)).toMatchObject({ code: "PERMISSION_DENIED" });
    project.forge("trust", "--yes");
    await announced("forge_write_file", tests);

    const related = { scope: "related_to_files", files: ["src/auth.js"], test_types: ["unit", "integration"] };
    const meta = await askForLogs(assistant, era);
    const failed = await announced("forge_run_tests", related, meta);
    expect(failed).toMatchObject({
      test_results: { status: "failed", total_tests: 1, passed: 0, failed: 1, skipped: 0 },
      failures: [{ name: "gives a token", file: "src/auth.test.js", line: 4, message: expect.stringContaining("t") }],
    });
    const issue = expect.stringContaining("test_failure src/auth.test.js:4: gives a token");
    await expect
      .poll(() => assistant.notifications("notifications/message").map(({ params }) => params))
      .toContainEqual({ level: "warning", logger: "forge", data: issue });

    const edit = { file_path: "src/auth.test.js", content: authTest("t") };
    expect(await announced("forge_write_file", edit)).toMatchObject({ action: "modified", git_status: "new file" });
    const passed = await announced("forge_run_tests", related);
    expect(passed).toMatchObject({
      test_results: {
        status: "passed",
        total_tests: 1,
        passed: 1,
        failed: 0,
        skipped: 0,
        duration: expect.stringMatching(/^\d+\.\ds$/),
      },
      failures: [],
    });

    const left = await assistant.refused("forge_commit_changes", { message, files: ["src/auth.js"] });
    expect(left).toMatchObject({ code: "CONFLICT_ERROR", message: expect.stringContaining("src/auth.test.js") });
    const committed = await announced("forge_commit_changes", { message, files: ["src/auth.js", "src/auth.test.js"] });
    const commit = project.git("rev-parse", "main");
    expect(committed).toMatchObject({
      commit_hash: commit,
      branch_merged: true,
      branch_deleted: true,
      task_status: "completed",
      files_modified: ["src/auth.js", "src/auth.test.js"],
      summary: expect.stringContaining("Merged into main; the task is completed."),
      success: true,
      tests: { status: "passed", total_tests: 2, passed: 2, failed: 0 },
      actions_performed: [
        { type: "file_created", path: "src/auth.js", lines: 3, purpose: "Sign-in" },
        { type: "file_created", path: "src/auth.test.js", lines: 4 },
        { type: "tests_run", passed: 0, failed: 1 },
        { type: "tests_run", passed: 1, failed: 0 },
        { type: "tests_run", passed: 2, failed: 0 },
        { type: "committed", commit, files: ["src/auth.js", "src/auth.test.js"] },
        { type: "merged", into: "main" },
      ],
    });
    expect(project.branches()).toEqual(["main"]);
    expect(project.git("branch", "--show-current")).toBe("main");
    expect(project.git("status", "--porcelain")).toBe("");
    expect(project.git("log", "-1", "--format=%an <%ae>%n%B")).toBe(
      `Ada <ada@example.org>\n${message}\n\nForge-Task: abc123/xyz789\nForge-Execution: ${execution}`,
    );

    const { contents } = await assistant.client.readResource({ uri });
    const [content] = contents;
    const shown = JSON.parse(content && "text" in content ? content.text : "{}");
    expect(shown).toMatchObject({
      status: "completed",
      commit_hash: commit,
      files: [
        { path: "src/auth.js", action: "created" },
        { path: "src/auth.test.js", action: "created" },
      ],
      tests: [{ status: "failed" }, { status: "passed" }, { status: "passed" }],
      issues: [{ type: "test_failure", file: "src/auth.test.js", line: 4 }],
    });
    const kinds = (shown.timeline as { kind: string }[]).map(({ kind }) => kind);
    expect(kinds).toEqual([
      "started",
      "file",
      "file",
      "tests",
      "issue",
      "file",
      "tests",
      "commit",
      "tests",
      "merged",
      "completed",
    ]);
    expect((await assistant.ok("forge_get_task_details", task))["task"]).toMatchObject({
      status: "completed",
      commit_id: commit,
    });

    requireProgress(assistant, execution);
  });
});

// Before that revision a server may tell whoever has not said what they want.
test("on the stateless revision nobody is told of issues who did not ask for it", async () => {
  const project = makeWorkbenchProject({ ...files, "src/models.test.js": authTest("wrong") });
  installPackages(project.cwd);
  project.forge("trust", "--yes");
  const assistant = await Assistant.start(project, "modern");
  await assistant.ok("forge_execute_task_stream", task);
  expect(await assistant.ok("forge_run_tests")).toMatchObject({ test_results: { status: "failed" } });
  await assistant.ok("forge_get_execution");
  expect(assistant.notifications("notifications/message")).toEqual([]);
});

/** Every call: at least one, rising, none after the answer; of an execution's calls it tells which. */
function requireProgress(assistant: Assistant, execution: string): void {
  const calls = assistant.progressOfCalls();
  expect(calls.length).toBeGreaterThan(10);
  for (const { name, steps, late } of calls) {
    const numbers = steps.map(({ progress }) => Number(progress));
    expect(numbers.length, name).toBeGreaterThan(0);
    expect(numbers, name).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(late, name).toEqual([]);
  }
  const staged = /^forge_(?:execute_task_stream|write_file|run_tests|commit_changes)$/;
  for (const { name, steps } of calls.filter((call) => staged.test(call.name))) {
    const told = steps.flatMap(({ _meta }) => (_meta ? [(_meta as Json)["forge/execution"]] : []));
    expect(told, name).toContainEqual({
      execution_id: execution,
      stage: expect.any(String),
      files_in_progress: expect.any(Array),
    });
  }
}
