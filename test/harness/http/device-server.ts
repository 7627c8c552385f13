import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { ConfigFile, serverAddress } from "../../../src/commons/remote/index.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import { Fetcher } from "../../../src/platform/fetch/fetcher.ts";
import { DeviceLogin } from "../../../src/rooms/access/remote/device-login.ts";

type Answer = { status: number; body?: unknown; html?: string; cut?: true };

export const pending = { status: 400, body: { error: "authorization_pending" } };
export const slowDown = { status: 400, body: { error: "slow_down" } };
export const granted = {
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

/** A server that answers polls with these responses, in order; the last one repeats. */
export async function beginLogin(polls: Answer[], more: object = {}) {
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
  let now = 0;
  const path = join(folder, ".forge", "config.json");
  const redactor = new Redactor();
  const login = await DeviceLogin.begin(
    {
      address: serverAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "--url"),
      fetcher,
      file: new ConfigFile(() => undefined, path),
      redactor,
      client: "forge 1.2.3",
      now: () => now,
      async pause(ms) {
        now += ms;
        waits.push(ms / 1_000);
      },
    },
    new AbortController().signal,
  );
  const kept = () =>
    existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>) : undefined;
  return { login, waits, bodies, redactor, kept, mode: () => statSync(path).mode & 0o777 };
}
