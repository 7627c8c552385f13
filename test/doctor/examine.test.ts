import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { checks } from "../../src/rooms/setup/doctor/checks/index.ts";
import { examine } from "../../src/rooms/setup/doctor/examine.ts";
import type { Check } from "../../src/rooms/setup/doctor/model.ts";
import { testWith } from "../harness/faults/faults.ts";
import { Patient } from "../harness/rooms/patient.ts";

const nobody = 65_534;

let patient: Patient;

beforeEach(() => {
  patient = new Patient();
});

test("a project in order has nothing but ok", async () => {
  await patient.makeStore();
  const findings = await examine(patient.world(), { fix: false, checks: checks.filter(({ id }) => id !== "path") });
  expect(findings.filter(({ state }) => state !== "ok")).toEqual([]);
  expect(findings.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["node", "git", "repository", "store", "clock", "umask", "server"]),
  );
});

test("looking makes nothing", async () => {
  await examine(patient.world(), { fix: true });
  expect(existsSync(join(patient.folder, ".forge"))).toBe(false);
});

describe("what it rests on", () => {
  test.each([
    ["18.20.0", "problem"],
    ["20.18.9", "problem"],
    ["20.19.0", "ok"],
    ["24.0.0", "ok"],
  ])("Node %s: %s", async (nodeVersion, state) => {
    expect(await patient.find("node", { nodeVersion })).toMatchObject({ state });
  });

  test("E28 no git on the PATH", async () => {
    expect(await patient.find("git", { environment: { PATH: "/nonexistent" } })).toMatchObject({
      state: "problem",
      message: expect.stringContaining("git was not found"),
      next: [expect.stringContaining("Install git"), expect.anything()],
    });
  });

  test("E28 a git that is too old", async () => {
    const bin = join(patient.sandbox.root, "old");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), "#!/bin/sh\necho git version 2.20.1\n", { mode: 0o755 });
    const environment = { ...patient.sandbox.environment, PATH: bin };
    expect(await patient.find("git", { environment })).toMatchObject({
      state: "problem",
      message: expect.stringContaining("This needs git 2.31"),
      next: ["Update git and restart Forge."],
    });
  });

  testWith(["root"], "E26 a repository of another user", async () => {
    execFileSync("chown", ["-R", String(nobody), patient.folder]);
    const finding = await patient.find("repository");
    expect(finding).toMatchObject({ state: "problem", message: expect.stringContaining("belongs to another user") });
    const next = JSON.stringify(finding?.next);
    expect(next).toContain("adds exactly this path to git's safe.directory");
    expect(next).not.toContain("*");
  });

  test("a repository whose index is broken", async () => {
    writeFileSync(join(patient.folder, ".git", "index"), "rubbish");
    expect(await patient.find("repository")).toMatchObject({
      state: "problem",
      message: expect.stringContaining("git status"),
    });
  });

  test("settings that are wrong", async () => {
    const wrong = { message: 'Wrong value "x" for FORGE_LOG.', next: ["Correct FORGE_LOG."] };
    expect(await patient.find("settings", { settingsProblems: [wrong, wrong] })).toEqual({
      id: "settings",
      title: "Settings",
      state: "problem",
      message: 'Wrong value "x" for FORGE_LOG. 1 more is wrong.',
      next: ["Correct FORGE_LOG."],
      fixable: false,
    });
  });

  test("a settings file that others may read is closed by --fix", async () => {
    const own = join(patient.world().home, ".forge");
    mkdirSync(own, { mode: 0o755 });
    writeFileSync(join(own, "settings.json"), "{}", { mode: 0o644 });
    expect(await patient.find("home")).toMatchObject({ state: "warning", fixable: true });
    expect(await patient.find("home", {}, true)).toMatchObject({ state: "ok", fixed: expect.stringContaining(own) });
    expect(statSync(own).mode & 0o777).toBe(0o700);
    expect(statSync(join(own, "settings.json")).mode & 0o777).toBe(0o600);
  });

  testWith(["root"], "a home folder of another user", async () => {
    const own = join(patient.world().home, ".forge");
    mkdirSync(own);
    chownSync(own, nobody, nobody);
    expect(await patient.find("home", {}, true)).toMatchObject({ state: "problem", fixable: false });
  });

  test("an umask that lets everybody write", () => {
    const script = `import("./src/rooms/setup/doctor/checks/settings.ts").then(({ umask }) => console.log(JSON.stringify(umask.look({}))))`;
    const looked = (mask: string) =>
      JSON.parse(
        execFileSync("sh", ["-c", `umask ${mask}; exec node --import tsx -e '${script}'`], { encoding: "utf8" }),
      );
    expect(looked("000")).toMatchObject({ state: "warning", message: expect.stringContaining("000: every user") });
    expect(looked("022")).toMatchObject({ state: "ok" });
  });
});

describe("what others know", () => {
  test("assistants", async () => {
    const cursor = { title: "Cursor", file: ".cursor/mcp.json", upToDate: false };
    expect(await patient.find("clients")).toBeUndefined();
    expect(await patient.find("clients", { ports: { clients: async () => [] } })).toMatchObject({ state: "ok" });
    expect(await patient.find("clients", { ports: { clients: async () => [cursor] } })).toMatchObject({
      state: "warning",
      message: expect.stringContaining("Cursor (.cursor/mcp.json)"),
    });
    const ready = async () => [{ ...cursor, upToDate: true }];
    expect(await patient.find("clients", { ports: { clients: ready } })).toMatchObject({
      state: "ok",
      message: "Set up: Cursor.",
    });
  });

  test.each([
    [{ given: false, trusted: false, changed: [] }, "ok", "not trusted"],
    [{ given: true, trusted: true, changed: [] }, "ok", "unchanged"],
    [{ given: true, trusted: false, changed: ["npm test"] }, "warning", "npm test"],
  ])("trust %j", async (state, expected, words) => {
    const finding = await patient.find("trust", { ports: { trust: async () => state } });
    expect(finding).toMatchObject({ state: expected, message: expect.stringContaining(words) });
  });

  test.each([
    ["1.2.3", "is the newest"],
    ["1.3.0", "1.3.0 is available"],
  ])("the newest version is %s", async (newest, words) => {
    const finding = await patient.find("update", { ports: { newestVersion: async () => newest } });
    expect(finding).toMatchObject({ state: "ok", message: expect.stringContaining(words) });
  });
});

test("G13 a check that fails in a strange way says nothing of what it met", async () => {
  const strange: Check = {
    id: "strange",
    title: "Strange",
    look() {
      throw new Error("password=hunter2 at /home/ann");
    },
  };
  const findings = await examine(patient.world(), { fix: false, checks: [strange] });
  expect(findings).toMatchObject([{ state: "problem", message: "This check failed." }]);
  expect(JSON.stringify(findings)).not.toMatch(/hunter2|ann/);
});

test("a fix that fails is told, with what to do by hand", async () => {
  const stubborn: Check = {
    id: "stubborn",
    title: "Stubborn",
    look: () => ({
      state: "warning",
      message: "Wrong.",
      next: ["Do this."],
      fix() {
        throw new Error("EROFS");
      },
    }),
  };
  expect(await examine(patient.world(), { fix: true, checks: [stubborn] })).toMatchObject([
    { state: "warning", next: ["--fix failed; do it by hand:", "Do this."] },
  ]);
});

test("no suggestion is destructive", () => {
  const source = ["program", "settings", "store-place", "store-content", "server", "others", "git", "node"]
    .map((name) => readFileSync(new URL(`../../src/rooms/setup/doctor/checks/${name}.ts`, import.meta.url), "utf8"))
    .join("\n");
  expect(source).not.toMatch(/\brm -|delete the|reset --hard/);
});
