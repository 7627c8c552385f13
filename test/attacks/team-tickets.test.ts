import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { machineName } from "../../src/platform/host/machine-name.ts";
import { CliProject } from "../harness/cli/cli.ts";
import { teamStarter } from "../harness/http/listening-team.ts";
import { connectToProject } from "../harness/mcp/project-client.ts";

const startTeam = teamStarter();
const atKeyboard = { atKeyboard: true };

/** A project with a ticket of the user's own, that is linked to a team then; another member has written the team's first ticket. */
async function start(more: Record<string, string> = {}) {
  const team = await startTeam();
  const env = team.envOf(await team.join());
  const files = { "package.json": '{"scripts":{"test":"node --test"}}\n', ".gitignore": ".forge/\n", ...more };
  const open = () => {
    const project = new CliProject(files);
    project.git("init", "-q", "-b", "main");
    project.git("config", "user.name", "Ada");
    project.git("config", "user.email", "ada@example.com");
    project.git("add", ".");
    project.git("commit", "-qm", "Start");
    return project;
  };
  const theirs = open();
  await theirs.do(["create", "Fix a typo", "--status", "ready", "--criterion", "Works"], { env });
  const project = open();
  await project.do(["create", "Ours", "--status", "ready"], atKeyboard);
  await project.do("trust --yes");
  team.saveSignIn(project);
  /** On their own machine. */
  const byOther = async (line: string[]) => {
    process.env["HOME"] = theirs.home;
    await theirs.do(line, { env });
    process.env["HOME"] = project.home;
  };
  /** What their client tells the server. */
  const report = async (entry: object) => {
    const headers = { authorization: `Bearer ${env.FORGE_TOKEN}`, "content-type": "application/json" };
    const body = JSON.stringify({ entry });
    return (await fetch(`${env.FORGE_API_URL}/tickets/T-001/records`, { method: "POST", headers, body })).status;
  };
  return { project, theirs, byOther, report };
}

test("H06 a ticket of the user's own is not taken for the team's ticket of the same id", async () => {
  const { project } = await start();
  const call = await connectToProject(project);
  expect((await call("get_ticket_context", { ticketId: "T-001" })).value).toMatchObject({ title: "Fix a typo" });
  const task = { block_id: "tickets", task_id: "T-001", options: { isolation: "worktree" } };
  expect(await call("forge_execute_task", task)).toMatchObject({ isError: false });
  expect(await call("forge_write_file", { file_path: "other.ts", content: "theirs" })).toMatchObject({
    value: { code: "PERMISSION_DENIED", details: { outside: ["task:tickets/T-001"] } },
  });
});

test("H06 an artifact of a team that another member has replaced is not the assistant's own any more", async () => {
  const { project, byOther } = await start();
  const artifact = { project_id: "shop", artifact_type: "phase", key: "plan" };
  const call = await connectToProject(project);
  const store = (content: string) => call("forge_store_artifact", { ...artifact, content });
  expect((await store("Ours")).isError).toBe(false);
  await call("get_ticket_context", { ticketId: "T-001" });
  // What it stored itself it may replace.
  expect((await store("Ours again")).isError).toBe(false);
  await byOther("call forge_store_artifact project_id=shop artifact_type=phase key=plan content=Theirs".split(" "));
  const refused = { value: { code: "PERMISSION_DENIED", details: { approval: expect.any(String) } } };
  expect(await store("Ours")).toMatchObject(refused);
  expect(await call("forge_clear_artifacts", { project_id: "shop" })).toMatchObject(refused);
  expect((await call("forge_get_artifact", artifact)).value).toMatchObject({ content: "Theirs" });
});

test("F08 a branch that another member works on is not verified unasked, though the ticket names it", async () => {
  const passing = 'require("node:test")("works", () => {});\n';
  const { project, theirs, byOther } = await start({ "a.test.js": passing });
  await byOther(["check", "add", "T-001", "AC-1", "--test", "a.test.js::works"]);
  await byOther(["start", "T-001"]);
  const mark = join(project.home, "ran");
  theirs.write("a.test.js", `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");\n${passing}`);
  theirs.git("commit", "-qam", "Theirs");
  project.git("fetch", "-q", theirs.root, "task-T-001-fix-a-typo:task-T-001-fix-a-typo");
  const call = await connectToProject(project);
  await call("get_ticket_context", { ticketId: "T-001" });
  expect(await call("forge_verify_ticket", { ticketId: "T-001" })).toMatchObject({
    value: { code: "PERMISSION_DENIED", details: { outside: [expect.stringMatching(/^commit:/)] } },
  });
  expect(existsSync(mark)).toBe(false);
  await project.run("verify T-001", atKeyboard);
  expect(existsSync(mark)).toBe(true);
});

test("F08 another member's branch is not verified unasked because they report that the user's own work is on it", async () => {
  const passing = 'require("node:test")("works", () => {});\n';
  const { project, theirs, byOther, report } = await start({ "a.test.js": passing });
  await byOther(["check", "add", "T-001", "AC-1", "--test", "a.test.js::works"]);
  await project.do(["start", "T-001"], atKeyboard);
  const mark = join(project.home, "ran");
  theirs.git("checkout", "-q", "-b", "review");
  theirs.write("a.test.js", `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");\n${passing}`);
  theirs.git("commit", "-qam", "Theirs");
  project.git("fetch", "-q", theirs.root, "review:review");
  const records = async () => {
    const ticket = JSON.parse(await project.do(["show", "T-001", "--json"]));
    return ticket.records.work as { execution: string; by: string; status: string; branch: string }[];
  };
  const [own] = await records();
  expect(await report({ kind: "work", work: { execution: own?.execution, status: "started", branch: "review" } })).toBe(
    200,
  );
  const call = await connectToProject(project);
  await call("get_ticket_context", { ticketId: "T-001" });
  expect(await call("forge_verify_ticket", { ticketId: "T-001" })).toMatchObject({
    value: { code: "PERMISSION_DENIED", details: { outside: [expect.stringMatching(/^commit:/)] } },
  });
  expect(existsSync(mark)).toBe(false);
  expect(await records()).toEqual([own, expect.objectContaining({ by: "Bob", branch: "review" })]);
});

test("F08 what another member reports is not shown as run here because they name the user's machine", async () => {
  const { project, byOther, report } = await start();
  await byOther(["check", "add", "T-001", "AC-1", "--file", "package.json"]);
  const [commit, tree] = ["a".repeat(40), "b".repeat(40)];
  const results = [{ check: "C-1", outcome: "passed", base: "failed", why: "It is there.", ms: 1 }];
  const verification = { commit, tree, clean: true, machine: machineName(), results };
  expect(await report({ kind: "verification", verification })).toBe(200);
  expect(await project.run(["proof", "T-001"])).toMatchObject({ out: expect.stringContaining("[reported by Bob") });
});
