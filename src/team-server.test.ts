import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../test/harness/store.ts";
import { resolveSettings } from "./config.ts";
import type { ServeRequest } from "./hosts/cli/access.ts";
import { Redactor } from "./kernel/redact.ts";
import { startTeamServer } from "./team-server.ts";

const folder = temporaryFolder();
const silent = { host: undefined, port: undefined, data: undefined, publicUrl: undefined, trustProxy: undefined };

async function start(request: Partial<ServeRequest>, env: Record<string, string> = {}) {
  const { settings } = resolveSettings({ flags: {}, env, file: undefined });
  const given = { request: { ...silent, port: 0, data: folder(), ...request }, settings };
  const server = await startTeamServer({ ...given, redactor: new Redactor(), log: () => undefined });
  onTestFinished(() => server.close());
  return server;
}

test("what the command line says goes before the settings", async () => {
  const env = { FORGE_PUBLIC_URL: "https://settings.example", FORGE_SERVER_PORT: "1", FORGE_SERVER_DATA: "/nowhere" };
  const server = await start({ publicUrl: "https://line.example/" }, env);
  expect(server.publicUrl).toBe("https://line.example");
  expect(server.setupUrl).toMatch(/^https:\/\/line\.example\/setup\?code=./);
  expect((await start({}, env)).publicUrl).toBe("https://settings.example");
});

test.each([
  ["a path", { publicUrl: "https://forge.example/team" }, {}, "--public-url"],
  ["no address", { publicUrl: "forge.example" }, {}, "--public-url"],
  ["a path in the settings", {}, { FORGE_PUBLIC_URL: "https://forge.example/team" }, "FORGE_PUBLIC_URL"],
  ["half a provider", {}, { FORGE_OPENID_ISSUER: "https://login.example" }, "FORGE_OPENID_CLIENT_ID"],
  ["the other half", {}, { FORGE_OPENID_CLIENT_ID: "forge" }, "FORGE_OPENID_ISSUER"],
])("%s is refused before anything is served", async (_what, request, env, named) => {
  const error = await start(request, env).catch((reason: unknown) => reason);
  expect(error).toHaveProperty("suggestions", [expect.stringContaining(named)]);
});
