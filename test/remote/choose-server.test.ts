import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { chooseServer } from "../../src/commons/remote/choose-server.ts";
import { ConfigFile, type StoredLogin } from "../../src/commons/remote/login/config-file.ts";
import { failureOf } from "../harness/http/fetching.ts";

async function fileWith(login: Partial<StoredLogin> | undefined): Promise<ConfigFile> {
  const folder = mkdtempSync(join(tmpdir(), "forge-choose-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = new ConfigFile(() => undefined, join(folder, ".forge", "config.json"));
  if (!login) return file;
  await file.write({
    accessToken: "a",
    refreshToken: "r",
    expiresAt: "2026-03-01T10:00:00.000Z",
    userId: "u1",
    teamId: "t1",
    user: { email: "ada@example.org", displayName: "Ada" },
    ...login,
  });
  return file;
}

const here = { apiUrl: "https://forge.example/api" };

it("is local where nothing is set and nobody is signed in", async () => {
  expect(await chooseServer({ apiUrl: undefined, token: undefined, file: await fileWith(undefined) })).toBeUndefined();
});

it("takes FORGE_TOKEN with FORGE_API_URL before a sign-in", async () => {
  const chosen = await chooseServer({ apiUrl: "https://ci.example/", token: "t", file: await fileWith(here) });
  const address = { api: "https://ci.example/api", origin: "https://ci.example" };
  expect(chosen).toEqual({ address, signIn: { token: "t" } });
});

it("sends a token to no server that was not named with it", async () => {
  const file = await fileWith(here);
  await expect(chooseServer({ apiUrl: undefined, token: "t", file })).rejects.toMatchObject({ code: "CONFIG_ERROR" });
  await expect(chooseServer({ apiUrl: "https://other.example/api", token: undefined, file })).rejects.toMatchObject({
    code: "AUTH_REQUIRED",
    message: "You are signed in to https://forge.example, but FORGE_API_URL is set to https://other.example.",
  });
});

it("takes the server of the sign-in, and for one of an older program that program's", async () => {
  const chosen = await chooseServer({ apiUrl: undefined, token: undefined, file: await fileWith(here) });
  expect(chosen).toMatchObject({ address: { api: "https://forge.example/api" }, signIn: "stored" });
  const older = await chooseServer({ apiUrl: undefined, token: undefined, file: await fileWith({}) });
  expect(older).toMatchObject({ address: { api: "https://www.forge-ai.dev/api" } });
});

it("says to sign in where a server is named and nobody is", async () => {
  const file = await fileWith(undefined);
  const error = await failureOf(chooseServer({ apiUrl: here.apiUrl, token: undefined, file }));
  expect(error).toMatchObject({ code: "AUTH_REQUIRED" });
  expect(JSON.stringify(error.next)).toContain("login");
});

it.each(["forge.example", "ftp://forge.example", "https://u:p@forge.example/api", "https://forge.example/api?x=1", ""])(
  "refuses the address %j, without repeating it",
  async (apiUrl) => {
    const file = await fileWith(undefined);
    const error = await chooseServer({ apiUrl, token: "t", file }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "CONFIG_ERROR", message: expect.stringContaining("FORGE_API_URL") });
    expect(String(error)).not.toContain("u:p");
  },
);
