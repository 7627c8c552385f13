import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../../src/platform/db/database.ts";
import { startForge } from "../cli/program.ts";
import { makeSandbox } from "../git/git.ts";
import { canaryFor, canaryPrefix, newPrefix, type Place } from "./canary.ts";
import { findCanaries } from "./canary-search.ts";

/** A separate prefix: the search at the end of the run must not find what is planted here. */
const prefix = newPrefix();
const secret = (place: Place) => canaryFor(place, prefix);

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "forge-canary-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, content: string | Buffer) => {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
  return path;
};
const found = () => findCanaries(folder, prefix).map((path) => path.slice(folder.length + 1));

describe("G13 the search for planted secrets", () => {
  test("finds none where there is none, or where they were planted", () => {
    put("notes.txt", "nothing of interest");
    put("home/.fractary/auth/credentials.json", JSON.stringify({ token: secret("credentials") }));
    put("home/.forge/settings.json", JSON.stringify({ databaseUrl: `postgres://x:${secret("settings")}@y/z` }));
    put("project/.git/config", `url = https://user:${secret("remote")}@example.org/x.git`);
    put("project/TICKET.md", `Use ${secret("ticket")} for the deployment.`);
    expect(found()).toEqual([]);
  });

  test.each<[string, (text: string) => string | Buffer]>([
    ["as it is", (text) => `{"answer":"${text}"}`],
    ["at the end of much else", (text) => `${"x".repeat(3_000_000)}${text}`],
    ["in UTF-16", (text) => Buffer.from(text, "utf16le")],
    ["in hexadecimal", (text) => Buffer.from(`a${text}`).toString("hex")],
    ["in base64", (text) => Buffer.from(text).toString("base64")],
    ["in base64 after one letter", (text) => Buffer.from(`x${text}`).toString("base64")],
    ["in base64 after two", (text) => Buffer.from(`xy${text}y`).toString("base64url")],
    ["compressed", (text) => gzipSync(`much ${text} more`)],
    ["cut off", (text) => text.slice(0, 18)],
  ])("finds one %s", (_name, write) => {
    for (const place of ["environment", "credentials"] as const) {
      put("log", write(secret(place)));
      expect(found()).toEqual(["log"]);
    }
  });

  test("finds one in another's place, beside one in its own, and in folders nobody may enter", () => {
    put("a/.forge/settings.json", secret("environment"));
    put("b/.git/config", `${secret("remote")} ${"x".repeat(300)} ${secret("credentials")}`);
    put("c/closed/file", secret("ticket"));
    chmodSync(join(folder, "c", "closed"), 0o000);
    expect(found().sort()).toEqual(["a/.forge/settings.json", "b/.git/config", "c/closed/file"]);
  });

  test("finds one in git's objects, loose and packed", () => {
    const sandbox = makeSandbox();
    onTestFinished(() => sandbox.dispose());
    const files = { "a.txt": "one\n".repeat(500), "b.txt": `${"one\n".repeat(500)}${secret("ticket")}\n` };
    const repository = sandbox.repository("project", files);
    const strays = () => findCanaries(join(repository, ".git"), prefix);
    expect(strays()).toEqual([expect.stringMatching(/objects\/[0-9a-f]{2}\/[0-9a-f]+$/)]);
    sandbox.git(repository, "gc", "--quiet");
    expect(readdirSync(join(repository, ".git", "objects")).filter((name) => name.length === 2)).toEqual([]);
    expect(strays()).toEqual([expect.stringMatching(/\.pack$/)]);
  });

  test("finds one in a database and in its write-ahead log", async () => {
    const file = join(folder, ".forge", "forge.db");
    const database = openDatabase({ file }, []);
    onTestFinished(() => database.close());
    const pathsNow = () => found().map((path) => path.replace(".forge/", ""));
    await database.transaction(async (transaction) => {
      await sql`create table leak (text text)`.execute(transaction);
      await sql`insert into leak values (${secret("environment")})`.execute(transaction);
    });
    expect(pathsNow().length).toBeGreaterThan(0);
    await database.close();
    expect(pathsNow()).toContain("forge.db");
  });
});

describe("G13 the program, with secrets all around it", () => {
  function surroundings() {
    const sandbox = makeSandbox();
    onTestFinished(() => sandbox.dispose());
    const project = sandbox.repository("project", { "main.ts": "export {};\n" });
    // Not by git's own command: its words are on a command line, where the run looks for planted secrets.
    const remote = `[remote "origin"]\n url = https://user:${canaryFor("remote")}@example.org/x.git\n`;
    appendFileSync(join(project, ".git", "config"), remote);
    writeFileSync(join(project, "TICKET.md"), `Deploy with ${canaryFor("ticket")}.\n`);
    return { root: sandbox.root, project };
  }

  async function exercise(cwd: string, home?: string): Promise<string> {
    const program = startForge(["mcp", "--toolsets", "all", "--log-level", "debug"], {
      cwd,
      ...(home && { env: { HOME: home } }),
    });
    await program.initialize();
    const { result } = await program.request("tools/list");
    const tools = (result?.["tools"] ?? []) as { name: string }[];
    for (const { name } of tools) {
      await program.call(name);
      await program.call(name, { [canaryFor("ticket")]: 1, path: "/absent" });
    }
    await program.request("resources/read", { uri: "forge://activity" });
    await program.request("tools/call", { name: "no_such_tool", arguments: {} });
    await program.finish();
    // Whatever it said was looked at as it came; this is about what it keeps.
    return program.stderr;
  }

  test("keeps and says none of them", async () => {
    const { root, project } = surroundings();
    await exercise(project);
    expect(existsSync(join(project, ".forge", "forge.db"))).toBe(true);
    expect(findCanaries(root, canaryPrefix)).toEqual([]);
  });

  test("not even where its database cannot be reached", async () => {
    const { root, project } = surroundings();
    const home = join(root, "home");
    mkdirSync(join(home, ".forge"), { mode: 0o700 });
    const databaseUrl = `postgres://forge:${canaryFor("settings")}@127.0.0.1:1/forge?password=${canaryFor("settings")}`;
    writeFileSync(join(home, ".forge", "settings.json"), JSON.stringify({ databaseUrl, wrong: canaryFor("settings") }));
    expect(await exercise(project, home)).not.toBe("");
    expect(findCanaries(root, canaryPrefix)).toEqual([]);
  });

  test("nor on the command line it is run by", () => {
    const { root, project } = surroundings();
    const forge = join(import.meta.dirname, "..", "..", "..", "bin", "forge.cjs");
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: join(root, "home"), GITHUB_TOKEN: canaryFor("environment"), FORGE_LOG: "debug" };
    for (const words of [["toolsets"], ["log", "--json"], ["repository"], ["--help"], ["log", secret("ticket")]]) {
      const { stdout, stderr } = runToEnd([forge, ...words], { cwd: project, env });
      expect(stdout + stderr, words[0]).not.toContain(canaryPrefix);
      expect(stdout + stderr, words[0]).not.toContain(secret("ticket"));
    }
    expect([...findCanaries(root, canaryPrefix), ...findCanaries(root, prefix)]).toEqual([]);
  });
});

function runToEnd(args: string[], options: { cwd: string; env: Record<string, string> }) {
  try {
    return {
      stdout: execFileSync(process.execPath, args, { ...options, encoding: "utf8", stdio: "pipe" }),
      stderr: "",
    };
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return { stdout, stderr };
  }
}
