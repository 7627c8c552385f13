import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ConfigFile, type StoredLogin } from "../../src/commons/remote/login/config-file.ts";
import { failureOf } from "../harness/http/fetching.ts";

const login: StoredLogin = {
  accessToken: "access-secret-1",
  refreshToken: "refresh-secret-1",
  expiresAt: "2026-03-01T10:00:00.000Z",
  userId: "u1",
  teamId: "",
  user: { email: "ada@example.org", displayName: "Ada" },
};

function makeFile() {
  const folder = mkdtempSync(join(tmpdir(), "forge-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const logged: string[] = [];
  const path = join(folder, ".forge", "config.json");
  return { path, logged, file: new ConfigFile((_level, message) => logged.push(message), path) };
}

describe("~/.forge/config.json", () => {
  it("is not there while nobody is signed in", async () => {
    expect(await makeFile().file.read()).toBeUndefined();
  });

  it("keeps a sign-in as JSON of two spaces for its owner alone, and gives it back", async () => {
    const { file, path } = makeFile();
    await file.write(login);
    expect(readFileSync(path, "utf8")).toBe(`${JSON.stringify(login, null, 2)}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await file.read()).toEqual(login);
    expect(await file.remove()).toBe(true);
    expect(await file.remove()).toBe(false);
    expect(await file.read()).toBeUndefined();
  });

  it("keeps fields of other programs", async () => {
    const { file } = makeFile();
    await file.write({ ...login, workspaceId: "w", theme: "dark", user: { ...login.user, avatar: "x" } });
    expect(await file.read()).toMatchObject({ theme: "dark", user: { avatar: "x" }, workspaceId: "w" });
  });

  it("is closed to others where it was open, with a warning", async () => {
    const { file, path, logged } = makeFile();
    await file.write(login);
    chmodSync(path, 0o644);
    expect(await file.read()).toEqual(login);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(logged).toEqual([expect.stringContaining("was readable by other users")]);
    await file.read();
    expect(logged).toHaveLength(1);
  });

  it.each([
    ["not JSON", '{"accessToken": "access-secret-1"'],
    ["empty", ""],
    ["a list", "[]"],
    ["null", "null"],
    ["without a token", JSON.stringify({ ...login, accessToken: undefined })],
    ["with an empty token", JSON.stringify({ ...login, accessToken: "" })],
    ["with a wrong address", JSON.stringify({ ...login, user: { email: "nobody", displayName: "" } })],
    ["with a date that is none", JSON.stringify({ ...login, expiresAt: "soon" })],
  ])("that is %s says to sign in, and nothing of what is in it", async (_name, text) => {
    const { file, path } = makeFile();
    await file.write(login);
    writeFileSync(path, text);
    const error = await failureOf(file.read());
    expect(error).toMatchObject({ code: "CONFIG_ERROR", details: { file: path } });
    expect(JSON.stringify(error) + String(error)).not.toContain("secret");
    expect(JSON.stringify(error.next)).toContain("login");
  });
});
