import { userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { expandHome, userPath } from "./user-folder.ts";

afterEach(() => void vi.unstubAllEnvs());

test.each(["", ".", "relative/home"])("HOME=%j does not make a project's .forge the user's", (home) => {
  vi.stubEnv("HOME", home);
  expect(userPath("settings.json")).toBe(join(userInfo().homedir, ".forge", "settings.json"));
});

test("a whole path counts", () => {
  vi.stubEnv("HOME", "/somewhere/else");
  expect(userPath("trust")).toBe("/somewhere/else/.forge/trust");
});

test("a path can begin at home", () => {
  vi.stubEnv("HOME", "/somewhere/else");
  expect(expandHome("~/trees")).toBe("/somewhere/else/trees");
  expect(expandHome("/big/~/trees")).toBe("/big/~/trees");
});
