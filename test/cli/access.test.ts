import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { forge } from "../harness/cli/forge-process.ts";
import { ada, openAccess, setUp } from "../harness/rooms/access.ts";

const program = [forge];

function makeLaptop(apiUrl: string) {
  const home = mkdtempSync(join(tmpdir(), "forge-access-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const file = join(home, ".forge", "config.json");
  mkdirSync(join(home, ".forge"), { mode: 0o700 });
  const tokens = { accessToken: "fga_x", refreshToken: "fgr_x", expiresAt: "2036-01-01T00:00:00Z" };
  const user = { email: "ada@example.com", displayName: "Ada" };
  writeFileSync(file, JSON.stringify({ ...tokens, userId: "u", teamId: "t", user, apiUrl }), { mode: 0o600 });
  return { home, file };
}

async function run(home: string, args: string[], env: Record<string, string> = {}) {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [...program, ...args], { cwd: home, env: { PATH, HOME: home, ...env } });
  const said = { out: "", err: "" };
  child.stdout.on("data", (text) => (said.out += text));
  child.stderr.on("data", (text) => (said.err += text));
  const [code] = await once(child, "close");
  return { ...said, code };
}

test("L2: forge logout with FORGE_TOKEN says that it does not end the token, and leaves the login alone", async () => {
  const { home, file } = makeLaptop("http://127.0.0.1:1/api");
  const before = readFileSync(file, "utf8");
  const token = { FORGE_TOKEN: "fgp_x", FORGE_API_URL: "http://127.0.0.1:1/api" };
  const { code, err } = await run(home, ["logout"], token);
  expect(code).toBe(1);
  expect(err).toContain("Logging out does not revoke the token in FORGE_TOKEN.");
  expect(err).toContain("forge token revoke");
  expect(readFileSync(file, "utf8")).toBe(before);
});

test("L2: forge logout after the server has ended the sign-in says so plainly", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ code: "AUTH_FAILED", message: "The token is not accepted." }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { home, file } = makeLaptop(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api`);
  const { out, err, code } = await run(home, ["logout"]);
  expect({ out, code }).toEqual({ out: "Signed out. The server had already ended this sign-in.\n", code: 0 });
  expect(err).not.toContain("could not be told");
  expect(existsSync(file)).toBe(false);
});

test("forge serve --reset-admin prints a link with which that user sets a new password", async () => {
  const home = mkdtempSync(join(tmpdir(), "forge-access-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const data = join(home, "server");
  const { access } = openAccess({ file: join(data, "forge.db") });
  await setUp(access);
  const nobody = await run(home, ["serve", "--port", "0", "--data", data, "--reset-admin", "nobody@example.com"]);
  expect(nobody.code).toBe(1);
  expect(nobody.err).toContain("There is no user nobody@example.com.");
  const { PATH = "" } = process.env;
  const args = [...program, "serve", "--port", "0", "--data", data, "--reset-admin", ada.email];
  const child = spawn(process.execPath, args, { cwd: home, env: { PATH, HOME: home } });
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  let said = "";
  for await (const text of child.stderr) {
    said += text;
    if (/\/reset\?code=\S+\n/.test(said)) break;
  }
  const link = /(http:\S+\/reset\?code=\S+)/.exec(said)?.[1] ?? "";
  const page = await (await fetch(link)).text();
  expect(page).toContain("Set a new password");
  expect(page).toContain(ada.email);
});
