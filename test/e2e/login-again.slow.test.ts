import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join as pathTo } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { serveTeam } from "../../src/app/server/server.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { openDatabase } from "../../src/platform/db/database.ts";
import { makeAccess } from "../../src/rooms/access/service/access.ts";
import { forge } from "../harness/cli/forge-process.ts";
import { migrations } from "../harness/db/all-migrations.ts";
import { saveLink } from "../harness/http/listening-team.ts";
import { home as address, bob, join, setUp } from "../harness/rooms/access.ts";

function makeFolder(): string {
  const folder = mkdtempSync(pathTo(tmpdir(), "forge-login-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A server with its first admin, who is signed in. */
async function openTeam() {
  const dataDir = pathTo(makeFolder(), "server");
  const settings = { databaseUrl: undefined, ledgerDays: 90 };
  const log = () => undefined;
  const server = await serveTeam({ settings, dataDir, address: { port: 0 }, redactor: new Redactor(), log });
  onTestFinished(() => server.close());
  const database = openDatabase<unknown>({ file: pathTo(dataDir, "forge.db") }, migrations);
  onTestFinished(() => database.close());
  const access = makeAccess({ database });
  const { by, pair, cookie } = await setUp(access);
  const holds = async () => (await access.tokens.authenticate(pair.accessToken, undefined)) !== undefined;
  const authorization = `Bearer ${pair.accessToken}`;
  const end = () => fetch(`${server.url}/api/auth/logout`, { method: "POST", headers: { authorization } });
  const approve = (code: string) => access.devices.decide(cookie, code, "approve", address);
  return { url: server.url, access, by, pair, holds, end, approve };
}

type Team = Awaited<ReturnType<typeof openTeam>>;

/** A home in which somebody is signed in to a team's server. */
function makeLaptop({ url, pair: { accessToken, refreshToken, expiresAt, user, team } }: Pick<Team, "url" | "pair">) {
  const home = makeFolder();
  const file = pathTo(home, ".forge", "config.json");
  mkdirSync(pathTo(home, ".forge"), { mode: 0o700 });
  const tokens = { accessToken, refreshToken, expiresAt };
  const kept = { ...tokens, userId: user.id, teamId: team.id, user, apiUrl: `${url}/api` };
  writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
  saveLink(home, home, { apiUrl: `${url}/api`, teamId: team.id });
  return { home, file, kept: () => readFileSync(file, "utf8") };
}

/** A server that is none of ours; answers with where it is. */
async function serve(answerTo: (path: string) => [status: number, body: object]): Promise<string> {
  const server = createServer(({ url = "" }, response) => {
    const [status, body] = answerTo(url);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** `approve` is given the code that the program shows. */
async function run(
  home: string,
  args: string[],
  { env = {}, approve }: { env?: Record<string, string>; approve?: (code: string) => Promise<void> } = {},
) {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [forge, ...args], { cwd: home, env: { PATH, HOME: home, ...env } });
  const ended = once(child, "close");
  const said = { out: "", err: "" };
  child.stdout.on("data", (text) => (said.out += text));
  child.stderr.on("data", (text) => {
    said.err += text;
    const code = /\/device\?code=(\S+)\n/.exec(said.err)?.[1];
    if (code === undefined) return;
    if (approve) void approve(code);
    else child.kill("SIGINT");
    approve = async () => undefined;
  });
  const [code] = await ended;
  return { ...said, code };
}

test("a sign-in that the server has ended is replaced by the login that its error asks for", async () => {
  const team = await openTeam();
  const { home, kept } = makeLaptop(team);
  await team.end();
  const expired = await run(home, ["list"]);
  expect(expired.err).toContain("Your session has expired");
  expect(expired.err).toContain("Run `forge login` to sign in again.");
  const login = await run(home, ["login"], { approve: team.approve });
  expect(login).toMatchObject({ code: 0, out: `Signed in to ${team.url} as ada@example.com.\n` });
  expect(kept()).not.toContain(team.pair.accessToken);
  expect(await run(home, ["list"])).toMatchObject({ code: 0 });
});

test("one that still holds, or cannot be asked about, stays unless it is to be replaced", async () => {
  const team = await openTeam();
  const { home, file, kept } = makeLaptop(team);
  const before = kept();
  for (const args of [["login"], ["login", "--url", "http://127.0.0.1:1"]]) {
    const { code, err } = await run(home, args);
    expect(code).toBe(1);
    expect(err).toContain(`You are already signed in to ${team.url}`);
    expect(err).toContain("--replace");
  }
  const started = await run(home, ["login", "--replace"]);
  expect(started.err).toContain(`${team.url}/device?code=`);
  expect(kept(), "until it is approved").toBe(before);
  expect(await team.holds()).toBe(true);

  const away = before.replaceAll(`${team.url}/api`, "http://127.0.0.1:1/api");
  writeFileSync(file, away);
  const { code, err } = await run(home, ["login", "--url", team.url]);
  expect(code).toBe(2);
  expect(err).toContain("whether that is still valid");
  expect(err).toContain("--replace");
  expect(kept()).toBe(away);

  writeFileSync(file, before);
  expect(await run(home, ["login", "--replace"], { approve: team.approve })).toMatchObject({ code: 0 });
  expect(await team.holds()).toBe(false);
  expect(await run(home, ["list"])).toMatchObject({ code: 0 });
});

test("a server of another kind, which does not say who one is, can have ended a sign-in too", async () => {
  const code = { deviceCode: "d".repeat(32), userCode: "ABCD-2345", expiresIn: 300, interval: 5 };
  const answers: Record<string, [number, object]> = {
    "/api/me": [404, { message: "Cannot GET /api/me", error: "Not Found" }],
    "/api/auth/device/request": [200, { ...code, verificationUri: "https://forge.example/device" }],
  };
  const url = await serve((path) => answers[path] ?? [401, { message: "Unauthorized" }]);
  const { home } = makeLaptop({ ...(await openTeam()), url });
  expect((await run(home, ["login"])).err).toContain("https://forge.example/device?code=ABCD-2345");
  answers["/api/tickets"] = [200, []];
  expect((await run(home, ["login"])).err).toContain(`You are already signed in to ${url}`);
});

test("FORGE_API_URL names another server: the error tells the login that leads there, and the old sign-in ends", async () => {
  const [old, other] = [await openTeam(), await openTeam()];
  const { home, kept } = makeLaptop(old);
  const env = { FORGE_API_URL: `${other.url}/api` };
  expect((await run(home, ["list"], { env })).err).toContain("Run `forge login --replace`");
  expect((await run(home, ["login"], { env })).err).toContain("--replace");
  expect(await old.holds()).toBe(true);
  const login = await run(home, ["login", "--replace"], { env, approve: other.approve });
  expect(login).toMatchObject({ code: 0, out: `Signed in to ${other.url} as ada@example.com.\n` });
  expect(JSON.parse(kept())).toMatchObject({ apiUrl: `${other.url}/api` });
  expect(await old.holds()).toBe(false);
  // The project is still linked to the old server.
  expect((await run(home, ["list"], { env })).err).toContain("`forge link`");
  expect(await run(home, ["link"], { env })).toMatchObject({ code: 0 });
  expect(await run(home, ["list"], { env })).toMatchObject({ code: 0 });
});

test("a sign-in behind a symbolic link is refused with what can be done, and logout takes the link away", async () => {
  const team = await openTeam();
  const { home, file, kept } = makeLaptop(team);
  const real = pathTo(home, "elsewhere.json");
  renameSync(file, real);
  symlinkSync(real, file);
  for (const command of ["whoami", "login"]) {
    const { code, err } = await run(home, [command, ...(command === "login" ? ["--url", team.url, "--replace"] : [])]);
    expect(code).toBe(1);
    expect(err).toContain("is a symbolic link");
    expect(err).toContain("Run `forge logout` to remove the link");
  }
  const before = kept();
  expect(await run(home, ["logout"])).toMatchObject({ code: 0, out: "Signed out.\n" });
  expect(lstatSync(file, { throwIfNoEntry: false })).toBeUndefined();
  expect(readFileSync(real, "utf8")).toBe(before);
});

test("a server that is none of ours is called that, and nobody is told to check an id", async () => {
  const url = await serve(() => [404, { statusCode: 404, message: "Cannot do that", error: "Not Found" }]);
  const nobody = makeFolder();
  const login = await run(nobody, ["login", "--url", url]);
  expect(login.err).toContain(`There is no Forge server at ${url}/api`);
  const env = { FORGE_API_URL: `${url}/api`, FORGE_TOKEN: "a-token" };
  for (const args of [["token", "list"], ["push-local"], ["team", "list"]]) {
    const { code, err } = await run(nobody, args, { env });
    expect(code).not.toBe(0);
    expect(err).toContain("it is not a team's Forge server");
    expect(err).not.toContain("Check the id");
  }
});

test("what a server refuses is said in the words of the command line", async () => {
  const team = await openTeam();
  const admin = makeLaptop(team);
  const invited = await run(admin.home, ["invite", "--email", "x"]);
  expect(invited.err).toContain("--email: ");
  const viewer = makeLaptop({ ...team, ...(await join(team.access, team.by, bob, "viewer")) });
  const made = await run(viewer.home, ["create", "Add logout"]);
  expect(made.err).toContain("Bob is a viewer in this team");
  expect(made.err).toContain("Ask an admin");
  for (const { err } of [invited, made]) expect(err).not.toMatch(/POST|\/api\/|Use a token/);
});

test("forge doctor says whether the team's server answers, and whether it accepts the sign-in", async () => {
  const team = await openTeam();
  const { home, file, kept } = makeLaptop(team);
  const line = async (env = {}) => {
    const findings: { id: string; message: string }[] = JSON.parse(
      (await run(home, ["doctor", "--json"], { env })).out,
    );
    return findings.find(({ id }) => id === "team-server");
  };
  expect(await line()).toMatchObject({
    state: "ok",
    message: `${team.url} answers. Signed in with forge login as ada@example.com, team Acme.`,
  });
  expect(await line({ FORGE_TOKEN: "fgp_wrong", FORGE_API_URL: `${team.url}/api` })).toMatchObject({
    state: "problem",
    message: "The token in FORGE_TOKEN is not accepted.",
  });
  await team.end();
  expect(await line()).toMatchObject({
    state: "problem",
    message: expect.stringContaining("expired"),
    mend: [expect.stringContaining("forge login")],
  });
  writeFileSync(file, kept().replaceAll(team.url, "http://127.0.0.1:1"));
  expect(await line()).toMatchObject({
    state: "problem",
    message: expect.stringContaining("Cannot reach the Forge server at http://127.0.0.1:1"),
  });
  rmSync(file);
  expect(await line()).toMatchObject({ state: "ok", message: expect.stringContaining("come from this project") });
});
