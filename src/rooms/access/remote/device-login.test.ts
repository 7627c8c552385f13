import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { ConfigFile, serverAddress } from "../../../commons/remote/index.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { Redactor } from "../../../kernel/redact.ts";
import { Fetcher } from "../../../platform/fetch/fetcher.ts";
import { DeviceLogin } from "./device-login.ts";

type Answer = { status: number; body?: unknown; html?: string; cut?: true };

const pending = { status: 400, body: { error: "authorization_pending" } };
const slowDown = { status: 400, body: { error: "slow_down" } };
const granted = {
  status: 200,
  body: {
    accessToken: "access-1234567",
    refreshToken: "refresh-1234567",
    userId: "u-1",
    teamId: "t-1",
    user: { email: "ada@example.com", displayName: "Ada" },
  },
};
const requested = (more: object = {}) => ({
  deviceCode: "d".repeat(32),
  userCode: "ABCD-2345",
  verificationUri: "https://forge.example/device",
  expiresIn: 300,
  interval: 5,
  ...more,
});

/** A server that says these things to polls, one after another; the last again and again. */
async function begin(polls: Answer[], more: object = {}) {
  const bodies: unknown[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const isPoll = request.url === "/api/auth/device/token";
    if (isPoll) bodies.push(JSON.parse(body));
    const answer = isPoll ? (polls.length > 1 ? polls.shift() : polls[0]) : { status: 200, body: requested(more) };
    if (!answer || answer.cut) return void response.destroy();
    response.writeHead(answer.status, { "content-type": answer.html ? "text/html" : "application/json" });
    response.end(answer.html ?? JSON.stringify(answer.body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = mkdtempSync(join(tmpdir(), "forge-login-"));
  const fetcher = new Fetcher({ log: () => undefined });
  onTestFinished(() => {
    fetcher.close();
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const waits: number[] = [];
  const path = join(folder, ".forge", "config.json");
  const redactor = new Redactor();
  const login = await DeviceLogin.begin(
    {
      address: serverAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "--url"),
      fetcher,
      file: new ConfigFile(() => undefined, path),
      redactor,
      client: "forge 1.2.3",
      pause: async (ms) => void waits.push(ms / 1_000),
    },
    new AbortController().signal,
  );
  return { login, waits, path, bodies, redactor };
}

const decided = (login: DeviceLogin, signal = new AbortController().signal) => login.decided(signal, () => undefined);

async function refusal(work: Promise<unknown>): Promise<ForgeError> {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ForgeError);
  return error as ForgeError;
}

describe("a login on a device", () => {
  it("K13 waits the interval between polls, and 5 s longer each time it is told to slow down", async () => {
    const { login, waits, bodies } = await begin([pending, slowDown, pending, slowDown, granted]);
    await decided(login);
    expect(waits).toEqual([5, 5, 10, 10, 15]);
    expect(bodies).toEqual(Array.from({ length: 5 }, () => ({ deviceCode: "d".repeat(32) })));
  });

  it("keeps the sign-in where only its person can read it, with the server it is for", async () => {
    const { login, path, redactor } = await begin([granted]);
    await decided(login);
    const kept = JSON.parse(readFileSync(path, "utf8"));
    expect(kept).toMatchObject({ accessToken: "access-1234567", userId: "u-1", teamId: "t-1" });
    expect(kept.apiUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
    expect(Date.parse(kept.expiresAt)).toBeGreaterThan(Date.now());
    if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(redactor.text("access-1234567 refresh-1234567")).toBe("[redacted] [redacted]");
  });

  it("goes on after failures of the network and the server that pass", async () => {
    const { login } = await begin([{ status: 200, cut: true }, { status: 503, body: {} }, pending, granted]);
    expect((await decided(login)).userId).toBe("u-1");
  });

  it.each([
    ["access_denied", "denied"],
    ["expired_token", "expired"],
    ["invalid_device_code", "expired"],
  ])("ends with %s", async (error, words) => {
    const { login, path } = await begin([pending, { status: 400, body: { error } }]);
    const { code, message } = await refusal(decided(login));
    expect(code).toBe("AUTH_FAILED");
    expect(message).toContain(words);
    expect(() => statSync(path)).toThrow();
  });

  it("ends by its own clock where the server goes on for ever", async () => {
    const { login } = await begin([pending], { expiresIn: 1, interval: 0 });
    expect((await refusal(decided(login))).message).toContain("expired");
  });

  it("says what was wrong where the server answers with something else", async () => {
    const { login } = await begin([{ status: 200, html: "<html>" }], { expiresIn: 1, interval: 0 });
    expect((await refusal(decided(login))).code).toBe("NETWORK_ERROR");
    expect((await refusal(begin([], { verificationUri: "javascript:alert(1)" }))).code).toBe("NETWORK_ERROR");
    expect((await refusal(begin([], { userCode: 7 }))).message).toContain("a code for this device");
  });

  it("stops at once when asked to, and keeps nothing", async () => {
    const { login, path, bodies } = await begin([pending]);
    const { code } = await refusal(decided(login, AbortSignal.abort()));
    expect(code).toBe("CANCELLED");
    expect(bodies).toEqual([]);
    expect(() => statSync(path)).toThrow();
  });

  it("fills the code in where the person is sent", async () => {
    const { login } = await begin([pending]);
    expect(login.completeUri).toBe("https://forge.example/device?code=ABCD-2345");
  });
});
