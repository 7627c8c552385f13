import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../src/platform/db/database.ts";
import { userName } from "../../src/platform/host/user-name.ts";
import { makeAccess } from "../../src/rooms/access/service/access.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { plainGit, writeFiles } from "../harness/git/git.ts";
import { saveLink } from "../harness/http/listening-team.ts";
import { makeClient } from "../harness/mcp/client.ts";
import { login, home as origin } from "../harness/rooms/access.ts";
import { differencesBetween, normalised } from "./room-transcript.ts";

const forge = join(import.meta.dirname, "..", "..", "bin", "forge.cjs");
const { PATH = "" } = process.env;

function folder(): string {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-room-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** `forge serve` as a process on SQLite; what `forge login` would leave on a laptop. */
async function serve() {
  const root = folder();
  const args = [forge, "serve", "--port", "0", "--json", "--data", join(root, "server")];
  const env = { PATH, HOME: root };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "ignore"] });
  const exited = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const [first] = await Promise.race([once(child.stdout.setEncoding("utf8"), "data"), exited]);
  const { url } = JSON.parse(String(first)) as { url: string };
  const database = openDatabase<unknown>({ file: join(root, "server", "forge.db") }, migrations);
  onTestFinished(() => database.close());
  const access = makeAccess({ database, passwordCost: { N: 1024, r: 8, p: 1 } });
  const person = { email: "ada@example.com", displayName: userName(), password: "correct horse" };
  await access.registration.setUp((await access.registration.setupCode()) ?? "", person, "Engines", origin);
  const { pair } = await login(access, person);
  const { accessToken, refreshToken, user, team } = pair;
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  return { accessToken, refreshToken, expiresAt, userId: user.id, teamId: team.id, user, apiUrl: `${url}/api` };
}

/** A day with the built program: every line a person types, and an assistant that it serves. */
async function day(signedIn: { apiUrl: string; teamId: string } | undefined): Promise<[unknown, unknown][]> {
  const root = folder();
  const [cwd, home] = [join(root, "shop"), join(root, "home")];
  for (const made of [cwd, home, join(home, ".forge")]) mkdirSync(made, { mode: 0o700 });
  if (signedIn) {
    writeFileSync(join(home, ".forge", "config.json"), JSON.stringify(signedIn), { mode: 0o600 });
    saveLink(home, cwd, signedIn);
  }
  const date = "2026-01-31T12:00:00Z";
  const env = { PATH, HOME: home, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const git = (...args: string[]) =>
    plainGit(cwd, ["-c", "user.name=Ada", "-c", "user.email=a@example.org", ...args], env);
  git("init", "--quiet", "--initial-branch", "main");
  writeFiles(cwd, {
    "src/auth.ts": "export {};\n",
    "in.json": JSON.stringify([{ title: "From a file", id: "aec_1" }]),
  });
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  const said: [unknown, unknown][] = [];
  const note = (what: unknown, answer: unknown) => void said.push([what, normalised(answer, root)]);
  const start = (args: string[]) => spawnSync(process.execPath, [forge, ...args], { cwd, env, encoding: "utf8" });
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = start(args);
    note(args, { status, stdout, stderr });
    return stdout;
  };

  run("list");
  expect(run("create", "Add logout", "--criterion", "Gone", "--file", "create:src/logout.ts")).toBe("T-001\n");
  run("import", "in.json");
  run("execute", "T-001");
  run("status", "t-1", "ready");
  run("questions", "T-001", "--ask", "For guests too?", "--answer", "Q-1=Yes.");
  run("show", "T-011");

  const client = makeClient("legacy");
  const args = [forge, "execute", "T-001"];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd, env, stderr: "pipe" }));
  const call = async (name: string, input: Record<string, unknown>) =>
    note([name, input], await client.callTool({ name, arguments: input }));
  note("prompt", await client.getPrompt({ name: "forge_execute", arguments: { ticketId: "T-001" } }));
  await call("get_ticket_context", { ticketId: "T-001" });
  await call("update_ticket_status", { ticketId: "T-001", status: "CREATED" });
  await call("update_ticket_status", { ticketId: "aec_1", status: "READY" });
  run("list", "--tsv");
  await client.close();

  writeFiles(cwd, { "src/logout.ts": "export {};\n" });
  git("add", "--all");
  run("complete", "T-001", "--summary", "Done.");
  run("assign", "aec_1", "grace");
  run("show", "T-001", "--history");
  run("export", "--all", "--output", "out", "--format", "markdown");
  run("export", "T-001", "--format", "xml");
  run("review", "T-001");
  const { stdout, stderr } = start(["status", "--json"]);
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toMatchObject({ tickets: { from: signedIn ? "server" : "project" } });
  return said;
}

test("the built program says the same of the project's own tickets and of those that forge serve has", async () => {
  const own = await day(undefined);
  const teams = await day(await serve());
  const parted = own.flatMap(([what, answer], index) =>
    differencesBetween(answer, teams[index]?.[1], JSON.stringify(what)),
  );
  expect(parted).toEqual([]);
  expect(teams).toHaveLength(own.length);
});
