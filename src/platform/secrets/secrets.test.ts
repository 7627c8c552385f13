import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { describeWith, testWith } from "../../../test/harness/faults/faults.ts";
import { ForgeError } from "../../kernel/errors.ts";
import { Redactor } from "../../kernel/text/redactor.ts";
import type { Keyring } from "./keyring.ts";
import { Secrets, type SecretsOptions } from "./secrets.ts";

const token = "t0ken-of-no-known-shape";
const server = "https://forge.example.org";

let home = "";
let warnings: string[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "forge-secrets-"));
  warnings = [];
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const folder = () => join(home, ".forge", "secrets");
const onlyFile = () => join(folder(), readdirSync(folder())[0] ?? "none");

function open(options: Partial<SecretsOptions> = {}) {
  const redactor = new Redactor();
  const warn = (message: string) => void warnings.push(message);
  return { redactor, secrets: new Secrets({ redactor, warn, folder: folder(), keyring: "none", ...options }) };
}

const thrownBy = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("G07 a token belongs to an origin", () => {
  it("is there for every address of the origin and for no other", async () => {
    const { secrets } = open();
    await secrets.set(`${server}/api/v1?x=1`, token);
    for (const address of [
      server,
      `${server}/`,
      `${server}:443/other`,
      new URL(`${server}/mcp`),
      "HTTPS://FORGE.Example.org",
    ])
      expect(await secrets.get(address)).toEqual({ token, where: "file" });
    const others = [`${server}:8443`, "https://example.org", "https://evil.org", "https://forge.example.org.evil.org"];
    others.push("https://forge.example.org@evil.org", "https://evil.org/https://forge.example.org", "http://localhost");
    for (const address of others) expect(await secrets.get(address)).toBeUndefined();
    expect(secrets.list()).toEqual([server]);
  });

  it("keeps many at once, lists origins only, and forgets", async () => {
    const { secrets } = open();
    const origins = Array.from({ length: 20 }, (_, index) => `https://s${index}.example.org`);
    await Promise.all(origins.map((origin, index) => secrets.set(origin, `${token}-${index}`)));
    expect(secrets.list().sort()).toEqual(origins.sort());
    expect((await secrets.get("https://s7.example.org"))?.token).toBe(`${token}-7`);
    expect(await secrets.remove("https://s7.example.org")).toBe(true);
    expect(await secrets.remove("https://s7.example.org")).toBe(false);
    expect(await secrets.get("https://s7.example.org")).toBeUndefined();
    expect(secrets.list()).toHaveLength(19);
  });

  it("has none where nothing was ever kept", async () => {
    const { secrets } = open();
    expect(secrets.list()).toEqual([]);
    expect(await secrets.get(server)).toBeUndefined();
    expect(existsSync(folder())).toBe(false);
  });
});

describe("G08 a token does not travel unencrypted", () => {
  it.each(["http://localhost:4000", "http://127.0.0.1", "http://127.9.9.9:1", "http://[::1]:80", server])(
    "%s is allowed",
    async (address) => {
      const { secrets } = open();
      await secrets.set(address, token);
      expect((await secrets.get(address))?.token).toBe(token);
    },
  );

  const refused = [
    "http://forge.example.org",
    "http://localhost.evil.org",
    "http://127.0.0.1.evil.org",
    "http://0.0.0.0",
  ];
  refused.push(
    "http://192.168.1.1",
    "http://localhost@evil.org",
    "ftp://localhost",
    "file:///etc",
    "forge.example.org",
    "",
  );
  it.each(refused)("%j is refused, for keeping and for asking", async (address) => {
    const { secrets } = open();
    await expect(secrets.set(address, token)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(secrets.get(address)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(existsSync(folder())).toBe(false);
  });
});

describeWith(["posix"], "G01 files that only their owner may read", () => {
  it("are so whatever the umask says", async () => {
    const { secrets } = open();
    const before = process.umask(0);
    try {
      await secrets.set(server, token);
    } finally {
      process.umask(before);
    }
    const modes = [join(home, ".forge"), folder(), onlyFile()].map((path) => statSync(path).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o600]);
    expect(readdirSync(folder())).toHaveLength(1);
  });

  it("are corrected with a word where they were not", async () => {
    const { secrets } = open();
    await secrets.set(server, token);
    chmodSync(onlyFile(), 0o644);
    expect((await secrets.get(server))?.token).toBe(token);
    expect(statSync(onlyFile()).mode & 0o777).toBe(0o600);
    expect(warnings).toEqual([
      expect.stringMatching(/was readable by other users.*Create a new token for https:\/\/forge/),
    ]);
    await secrets.get(server);
    expect(warnings).toHaveLength(1);
  });

  it("are refused where they are links, and so is a folder", async () => {
    const { secrets } = open();
    await secrets.set(server, token);
    const file = onlyFile();
    const elsewhere = join(home, "elsewhere");
    writeFileSync(elsewhere, readFileSync(file));
    rmSync(file);
    symlinkSync(elsewhere, file);
    await expect(secrets.get(server)).rejects.toBeInstanceOf(ForgeError);
    await expect(secrets.set(server, "another-token")).rejects.toBeInstanceOf(ForgeError);
    expect(readFileSync(elsewhere, "utf8")).toContain(token);
    rmSync(folder(), { recursive: true });
    mkdirSync(join(home, "open-to-all"));
    symlinkSync(join(home, "open-to-all"), folder());
    await expect(secrets.set(server, token)).rejects.toBeInstanceOf(ForgeError);
    expect(readdirSync(join(home, "open-to-all"))).toEqual([]);
  });

  testWith(["strace"], "are never anything else, not for a moment", () => {
    const program = join(home, "program.mts");
    const modules = [
      join(import.meta.dirname, "secrets.ts"),
      join(import.meta.dirname, "../../kernel/text/redactor.ts"),
    ];
    writeFileSync(
      program,
      `import { Secrets } from ${JSON.stringify(modules[0])};
       import { Redactor } from ${JSON.stringify(modules[1])};
       process.umask(0);
       const secrets = new Secrets({ redactor: new Redactor(), warn() {}, folder: ${JSON.stringify(folder())}, keyring: "none" });
       await secrets.set(${JSON.stringify(server)}, ${JSON.stringify(token)});`,
    );
    const log = join(home, "calls");
    const calls = "trace=open,openat,mkdir,mkdirat,chmod,fchmod,fchmodat,rename,renameat,renameat2";
    const tsx = import.meta.resolve("tsx");
    execFileSync("strace", ["-f", "-s", "512", "-e", calls, "-o", log, process.execPath, "--import", tsx, program]);
    const lines = readFileSync(log, "utf8").split("\n").slice(0, -1);
    const making = lines.filter(
      (line) => /O_CREAT|mkdir|chmod/.test(line) && /\.forge|secrets|\/proc\/self\/fd|fchmod\(/.test(line),
    );
    expect(making.length).toBeGreaterThanOrEqual(3);
    // The last number of each is the mode; group and others have no digit in any.
    const modes = making.map((line) => /(0[0-7]{3})\)?\s*(?:=|<unfinished)/.exec(line)?.[1]);
    expect(modes.filter((mode) => !mode?.endsWith("00"))).toEqual([]);
  });
});

describe("what is said of tokens", () => {
  it("teaches the redactor each one that passes through", async () => {
    const writer = open();
    await writer.secrets.set(server, token);
    expect(writer.redactor.text(`with ${token}!`)).toBe("with [redacted]!");
    const reader = open();
    expect(reader.redactor.text(token)).toBe(token);
    await reader.secrets.get(server);
    expect(reader.redactor.text(token)).toBe("[redacted]");
  });

  it("refuses what can be no token, without repeating it", async () => {
    const { secrets } = open();
    for (const wrong of ["", "short", "two words here", "with\nline end", `${"x".repeat(8193)}`, "schlüssel-wort"]) {
      const error = await thrownBy(secrets.set(server, wrong));
      expect(error).toMatchObject({ code: "VALIDATION_ERROR" });
      if (wrong !== "") expect(JSON.stringify(error) + String(error)).not.toContain(wrong);
    }
    expect(existsSync(folder())).toBe(false);
  });

  it("does not quote a file it cannot make sense of, and can write it anew", async () => {
    const { secrets } = open();
    await secrets.set(server, token);
    for (const text of [
      `{"token":"${token}`,
      `"${token}"`,
      "null",
      `{"origin":"https://evil.org","where":"file","token":"${token}"}`,
    ]) {
      writeFileSync(onlyFile(), text);
      const error = await thrownBy(secrets.get(server));
      expect(error).toMatchObject({ code: "CONFIG_ERROR" });
      expect(JSON.stringify(error) + String(error)).not.toContain(token);
    }
    await secrets.set(server, "another-token");
    expect((await secrets.get(server))?.token).toBe("another-token");
  });
});

/** A keyring that keeps in memory, or breaks. */
class MemoryKeyring implements Keyring {
  readonly kept = new Map<string, string>();
  broken = false;
  async get(origin: string) {
    this.#check();
    return this.kept.get(origin);
  }
  async set(origin: string, given: string) {
    this.#check();
    this.kept.set(origin, given);
  }
  async remove(origin: string) {
    this.#check();
    this.kept.delete(origin);
  }
  #check() {
    if (this.broken) throw new Error(`locked, and ${token} with it`);
  }
}

describe("the keyring", () => {
  it("has the token, and the files only word of it", async () => {
    const keyring = new MemoryKeyring();
    const { secrets } = open({ keyring });
    expect(await secrets.set(server, token)).toEqual({ where: "keyring" });
    expect(keyring.kept.get(server)).toBe(token);
    expect(readFileSync(onlyFile(), "utf8")).not.toContain(token);
    expect(await secrets.get(server)).toEqual({ token, where: "keyring" });
    expect(secrets.list()).toEqual([server]);
    expect(await secrets.remove(server)).toBe(true);
    expect([...keyring.kept]).toEqual([]);
  });

  it("is asked for nothing that it was not given", async () => {
    const { secrets } = open();
    await secrets.set(server, token);
    const keyring = new MemoryKeyring();
    keyring.broken = true;
    const later = open({ keyring }).secrets;
    expect(await later.get(server)).toEqual({ token, where: "file" });
    expect(await later.get("https://other.example.org")).toBeUndefined();
  });

  it("that breaks makes a file of a new token, and an error of an old one that tells nothing", async () => {
    const keyring = new MemoryKeyring();
    const { secrets } = open({ keyring });
    await secrets.set(server, token);
    keyring.broken = true;
    const error = await thrownBy(secrets.get(server));
    expect(error).toMatchObject({ code: "AUTH_REQUIRED", message: expect.stringContaining("keyring") });
    expect(error instanceof ForgeError && JSON.stringify(error.toBody())).not.toContain(token);
    expect(await secrets.set(server, "another-token")).toEqual({ where: "file" });
    expect(await secrets.get(server)).toEqual({ token: "another-token", where: "file" });
  });

  // Elsewhere the keyring is always there, and a test has no business in somebody's own.
  testWith(["linux"], "of a system that has none is tried, and a file used", () => {
    const program = join(home, "program.mts");
    writeFileSync(
      program,
      `import { Secrets } from ${JSON.stringify(join(import.meta.dirname, "secrets.ts"))};
       import { systemKeyring } from ${JSON.stringify(join(import.meta.dirname, "keyring.ts"))};
       import { Redactor } from ${JSON.stringify(join(import.meta.dirname, "../../kernel/text/redactor.ts"))};
       let tries = 0;
       const counted = { ...systemKeyring, set: (...given) => { tries++; return systemKeyring.set(...given); } };
       const redactor = new Redactor();
       const secrets = new Secrets({ redactor, warn() {}, keyring: counted });
       const kept = await secrets.set(${JSON.stringify(server)}, ${JSON.stringify(token)});
       const found = await secrets.get(${JSON.stringify(server)});
       console.log(JSON.stringify({ kept, where: found?.where, tries }));`,
    );
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: home, DBUS_SESSION_BUS_ADDRESS: `unix:path=${home}/no-bus`, XDG_RUNTIME_DIR: home };
    const args = ["--import", import.meta.resolve("tsx"), program];
    const printed = execFileSync(process.execPath, args, { env, encoding: "utf8" });
    expect(JSON.parse(printed)).toEqual({ kept: { where: "file" }, where: "file", tries: 1 });
    expect(statSync(onlyFile()).mode & 0o777).toBe(0o600);
  });
});
