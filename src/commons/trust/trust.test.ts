import { createHash } from "node:crypto";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  copy,
  filesBelow,
  link,
  makeFifo,
  modeOf,
  move,
  put,
  read,
  remove,
  startFlipping,
  trustInProcess,
  trustSandbox,
} from "../../../test/harness/commons/trust.ts";
import { findUntrustedTests } from "../test-runs/project/find-untrusted-tests.ts";

const script = "_bmad/_config/custom/cc-verify.sh";
const runnable = { id: `script:${script}`, file: script };
const files = { [script]: "echo CC PASS\n", "package.json": '{"scripts":{"test":"vitest run","start":"x"}}' };
const required = expect.objectContaining({ code: "TRUST_REQUIRED" });
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("F08 what may run is what a person has trusted", () => {
  test("nothing before that; the error says how a person gives it", async () => {
    const { trust, repository } = trustSandbox();
    const root = repository("shop", files);
    await expect(trust.require(root, [runnable])).rejects.toEqual(required);
    await expect(trust.require(root, [runnable])).rejects.toEqual(
      expect.objectContaining({
        message: expect.stringContaining("is not trusted"),
        next: [expect.objectContaining({ command: "trust" })],
      }),
    );
  });

  test("then exactly that, and the bytes that were looked at are handed over", async () => {
    const { trust, trustAll, repository } = trustSandbox();
    const root = repository("shop", files);
    const state = await trustAll(root);
    expect(state.items.map(({ id, sha256, status }) => [id, sha256, status])).toEqual([
      [runnable.id, sha256("echo CC PASS\n"), "new"],
      ["package.json:test", sha256('["sh","-c","vitest run"]'), "new"],
      ["tests:vitest", sha256('["vitest","run"]'), "new"],
    ]);
    const [pinned] = await trust.require(root, [
      runnable,
      { id: "package.json:test", command: ["sh", "-c", "vitest run"] },
    ]);
    expect(pinned?.bytes?.toString()).toBe("echo CC PASS\n");
    put(root, script, "echo evil\n");
    expect(pinned?.bytes?.toString()).toBe("echo CC PASS\n");
  });

  test("H09 one byte changed, a command with another word, a script added: each asks again", async () => {
    const { trust, trustAll, repository, state } = trustSandbox();
    const root = repository("shop", files);
    await trustAll(root);
    expect(await state(root)).toMatchObject({ trusted: true, by: "ada" });
    put(root, script, "echo CC PASS \n");
    await expect(trust.require(root, [runnable])).rejects.toEqual(required);
    put(root, script, "echo CC PASS\n");
    expect(await trust.require(root, [runnable])).toHaveLength(1);
    const test = { id: "package.json:test", command: ["sh", "-c", "vitest run --globalSetup x"] };
    await expect(trust.require(root, [test])).rejects.toEqual(required);
    await expect(trust.require(root, [{ id: "set-up", command: ["npm", "ci"] }])).rejects.toEqual(required);
    put(root, "package.json", '{"scripts":{"test":"curl x | sh","pretest":"y"}}');
    remove(join(root, script));
    const now = await state(root);
    expect(now.items.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "completion:npm test new",
      "package.json:pretest new",
      "package.json:test changed",
    ]);
    expect(now).toMatchObject({ trusted: false, gone: [runnable.id, "tests:vitest"] });
  });

  test.each([
    [
      "pytest.ini",
      { "tests/test_a.py": "", "pytest.ini": "[pytest]\naddopts = -q\n" },
      "pytest.ini",
      "[pytest]\naddopts = -p evil\n",
    ],
    [
      "a section added to pyproject.toml",
      { "tests/test_a.py": "", "pyproject.toml": "[project]\n" },
      "pyproject.toml",
      '[tool."pytest".ini_options]\naddopts = "-p evil"\n',
    ],
    [
      "what the test script imports",
      {
        "package.json": '{"scripts":{"test":"node --test --import ./test/setup.mjs"}}',
        "test/setup.mjs": "export {};\n",
      },
      "test/setup.mjs",
      "process.exit(0);\n",
    ],
    ["a configuration that was added", { "package.json": '{"scripts":{"test":"vitest"}}' }, "vite.config.ts", "evil"],
  ])("the configuration of a detected runner: %s", async (_name, given, file, evil) => {
    const { trust, trustAll, repository } = trustSandbox();
    const root = repository("shop", given as Record<string, string>);
    const refusal = () => findUntrustedTests(trust, root);
    await trustAll(root);
    expect(await refusal()).toBeUndefined();
    put(root, file, evil);
    expect(await refusal()).toMatchObject({
      code: "TRUST_REQUIRED",
      details: { missing: [expect.stringContaining(file)] },
    });
    await trustAll(root);
    expect(await refusal()).toBeUndefined();
  });

  test("a link in place of a configuration is refused if it leads outside; code, tests and other settings are not asked about", async () => {
    const { trust, trustAll, repository, root: outside } = trustSandbox();
    const root = repository("shop", {
      "tests/test_a.py": "",
      "pytest.ini": "[pytest]\n",
      "pyproject.toml": "[project]\n",
    });
    await trustAll(root);
    put(root, "tests/test_a.py", "import shop\n");
    put(root, "shop.py", "");
    put(root, "pyproject.toml", '[project]\ndependencies = ["pytest"]\n');
    expect(await findUntrustedTests(trust, root)).toBeUndefined();
    put(outside, "evil.ini", "[pytest]\n");
    remove(join(root, "pytest.ini"));
    link(join(outside, "evil.ini"), join(root, "pytest.ini"));
    expect(await findUntrustedTests(trust, root)).toMatchObject({ message: expect.stringContaining("leads outside") });
  });

  test("what was trusted before stays trusted for other work trees, until trust is taken back; hooks do not", async () => {
    const { trust, trustAll, desk, state, repository, git, root } = trustSandbox();
    const shop = repository("shop", { "tests/test_a.py": "", "pytest.ini": "[pytest]\n" });
    put(shop, ".git/hooks/pre-commit", "#!/bin/sh\n", 0o755);
    await trustAll(shop);
    const tree = join(root, "tree");
    git(shop, "worktree", "add", "--quiet", tree);
    put(tree, "pytest.ini", "[pytest]\naddopts = -q\n");
    expect(await findUntrustedTests(trust, tree)).toMatchObject({ code: "TRUST_REQUIRED" });
    await trustAll(tree);
    expect([await findUntrustedTests(trust, tree), await findUntrustedTests(trust, shop)]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await state(shop)).toMatchObject({ trusted: true });
    put(shop, ".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n", 0o755);
    await trustAll(shop);
    put(shop, ".git/hooks/pre-commit", "#!/bin/sh\n", 0o755);
    expect(await state(shop)).toMatchObject({ trusted: false });
    for (let turn = 0; turn < 25; turn++) {
      put(shop, "pytest.ini", `[pytest]\n# ${turn}\n`);
      await trustAll(shop);
    }
    expect(await findUntrustedTests(trust, tree)).toMatchObject({ code: "TRUST_REQUIRED" });
    await desk.revoke(shop);
    await trustAll(tree);
    expect(await findUntrustedTests(trust, shop)).toMatchObject({ code: "TRUST_REQUIRED" });
  });

  test("content trusted under one name is not trusted under another", async () => {
    const { trust, trustAll, repository } = trustSandbox();
    const root = repository("shop", files);
    await trustAll(root);
    await expect(trust.require(root, [{ id: "hook:pre-commit", file: script }])).rejects.toEqual(required);
  });

  test("trust given is for what was shown, not for what is there by then", async () => {
    const { trust, desk, state, repository } = trustSandbox();
    const root = repository("shop", files);
    const shown = await state(root);
    put(root, script, "echo evil\n");
    await desk.grant(shown, "ada");
    await expect(trust.require(root, [runnable])).rejects.toEqual(required);
  });

  test("taken back, it is gone", async () => {
    const { trust, desk, trustAll, repository } = trustSandbox();
    const root = repository("shop", files);
    await trustAll(root);
    expect([await desk.revoke(root), await desk.revoke(root)]).toEqual([true, false]);
    await expect(trust.require(root, [runnable])).rejects.toEqual(required);
  });

  test("a script that is swapped all the time is handed over as trusted or not at all", async () => {
    const { trust, trustAll, repository } = trustSandbox();
    const good = `echo good\n${"#".repeat(60_000)}`;
    const root = repository("shop", { [script]: good });
    await trustAll(root);
    const stop = await startFlipping(join(root, script), [good, `echo evil\n${"#".repeat(60_000)}`]);
    const seen = { handedOver: 0, refused: 0 };
    for (let tries = 0; tries < 3000 && (seen.handedOver < 20 || seen.refused < 20); tries++) {
      try {
        const [pinned] = await trust.require(root, [runnable]);
        expect(pinned?.bytes?.equals(Buffer.from(good))).toBe(true);
        seen.handedOver++;
      } catch (error) {
        expect(error).toEqual(required);
        seen.refused++;
      }
    }
    await stop();
    expect(Math.min(seen.handedOver, seen.refused)).toBeGreaterThan(0);
  });
});

describe("what is no file of the project is refused", () => {
  test("a link that leads outside; one that stays inside is read where it leads", async () => {
    const { root: outside, state, trust, trustAll, repository } = trustSandbox();
    const root = repository("shop", { "tools/verify.sh": "echo\n", "_bmad/_config/custom/x": "" });
    put(outside, "evil.sh", "echo evil\n");
    link("../../../../evil.sh", join(root, script));
    expect((await state(root)).refused).toEqual([
      { id: runnable.id, runs: script, why: expect.stringContaining("outside the project") },
    ]);
    await trustAll(root);
    await expect(trust.require(root, [runnable])).rejects.toEqual(required);
    remove(join(root, script));
    link("../../../tools/verify.sh", join(root, script));
    await trustAll(root);
    expect((await trust.require(root, [runnable]))[0]?.sha256).toBe(sha256("echo\n"));
    put(root, "tools/verify.sh", "echo x\n");
    await expect(trust.require(root, [runnable])).rejects.toEqual(required);
  });

  test("a pipe, a folder, nothing at all, a path that climbs out", async () => {
    const { trust, trustAll, repository } = trustSandbox();
    const root = repository("shop", files);
    await trustAll(root);
    makeFifo(join(root, "pipe"));
    for (const file of ["pipe", "_bmad", "missing", "../home/.gitconfig", "/etc/hostname", "a\0b"]) {
      await expect(trust.require(root, [{ id: runnable.id, file }]), file).rejects.toEqual(required);
    }
  });
});

test("commands that were trusted without network ask before they have one; the other way round they do not", async () => {
  const { trust, trustAll, repository, state } = trustSandbox();
  const root = repository("shop");
  const setNetwork = (network: string | undefined) =>
    put(root, ".forge/workbench.json", JSON.stringify({ testCommand: ["node", "a.js"], network }));
  const command = { id: "workbench:testCommand", command: ["node", "a.js"] };
  const opened = { code: "TRUST_REQUIRED", details: { missing: ["workbench:network"] } };
  setNetwork("none");
  await trustAll(root);
  for (const network of ["all", undefined]) {
    setNetwork(network);
    await expect(trust.require(root, [command])).rejects.toMatchObject(opened);
    expect(await state(root)).toMatchObject({ trusted: false });
  }
  await trustAll(root);
  expect(await trust.require(root, [command])).toHaveLength(1);
  setNetwork("none");
  expect(await trust.require(root, [command])).toHaveLength(1);
  await trustAll(root);
  setNetwork("all");
  await expect(trust.require(root, [command])).rejects.toMatchObject(opened);
});

describe("trust is bound to a place", () => {
  test("the files of another folder of the project are not taken for those of its root", async () => {
    const { trust, trustAll, repository } = trustSandbox();
    const named = { "package.json": '{"scripts":{"test":"node --import ./setup.mjs --test"}}', "setup.mjs": "" };
    const shop = repository("shop", { ...named, "web/setup.mjs": "evil();", "same/setup.mjs": "" });
    await trustAll(shop);
    const setup = { id: "script:setup.mjs", file: "setup.mjs" };
    expect(await trust.require(shop, [setup])).toHaveLength(1);
    expect(await trust.require(join(shop, "same"), [setup])).toHaveLength(1);
    await expect(trust.require(join(shop, "web"), [setup])).rejects.toEqual(required);
    expect(await trust.findChanged(join(shop, "web"), [setup], "script:")).toEqual(["script:setup.mjs"]);
  });

  test("a project that was moved or copied has none; moved back it has", async () => {
    const { trust, trustAll, repository, root } = trustSandbox();
    const shop = repository("shop", files);
    await trustAll(shop);
    copy(shop, join(root, "copy"));
    await expect(trust.require(join(root, "copy"), [runnable])).rejects.toEqual(required);
    move(shop, join(root, "moved"));
    await expect(trust.require(join(root, "moved"), [runnable])).rejects.toEqual(required);
    move(join(root, "moved"), shop);
    link(shop, join(root, "link"));
    expect(await trust.require(join(root, "link"), [runnable])).toHaveLength(1);
  });

  test("a linked work tree has its repository's, for the same bytes; a folder that only claims to be one has not", async () => {
    const { trust, trustAll, repository, git, root } = trustSandbox();
    const shop = repository("shop", files);
    await trustAll(shop);
    git(shop, "worktree", "add", "--quiet", join(root, "tree"));
    expect(await trust.require(join(root, "tree"), [runnable])).toHaveLength(1);
    put(join(root, "tree"), script, "echo evil\n");
    await expect(trust.require(join(root, "tree"), [runnable])).rejects.toEqual(required);
    put(join(root, "false"), ".git", read(join(root, "tree", ".git")));
    put(join(root, "false"), script, "echo CC PASS\n");
    await expect(trust.require(join(root, "false"), [runnable])).rejects.toEqual(
      expect.objectContaining({ code: "PERMISSION_DENIED" }),
    );
  });

  test("a folder that is no repository can be trusted too", async () => {
    const { trust, trustAll, root } = trustSandbox();
    put(join(root, "plain"), script, "echo\n");
    await trustAll(join(root, "plain"));
    expect(await trust.require(join(root, "plain"), [runnable])).toHaveLength(1);
  });

  test("a project that contains the place where trust is kept cannot be trusted", async () => {
    const { trust, state, git, root } = trustSandbox();
    const home = join(root, "home");
    git(home, "init", "--quiet");
    put(home, script, "echo\n");
    await expect(state(home)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await expect(trust.require(home, [runnable])).rejects.toEqual(
      expect.objectContaining({ code: "PERMISSION_DENIED" }),
    );
  });
});

describe("where it is kept", () => {
  test("in the home, for the owner's eyes only, with nothing left in the repository or beside it", async () => {
    const { trustAll, repository, records, git } = trustSandbox();
    const root = repository("shop", files);
    await trustAll(root);
    const [file = "", ...others] = filesBelow(records.folder);
    expect(others).toEqual([]);
    expect([modeOf(file), modeOf(records.folder)]).toEqual([0o600, 0o700]);
    expect(git(root, "status", "--porcelain")).toBe("");
  });

  test("a file that is a link or makes no sense, gives no trust; a person can write it anew", async () => {
    const { trust, trustAll, state, repository, records } = trustSandbox();
    const root = repository("shop", files);
    await trustAll(root);
    const [file = ""] = filesBelow(records.folder);
    const good = read(file);
    const misused = expect.objectContaining({ code: "CONFIG_ERROR" });
    for (const text of [
      "",
      "{",
      "null",
      good.replace(root, "/elsewhere"),
      good.replace('"version": 1', '"version": 2'),
    ]) {
      put(records.folder, file.slice(records.folder.length), text, 0o600);
      await expect(trust.require(root, [runnable]), text).rejects.toEqual(misused);
    }
    move(file, `${file}.real`);
    link(`${file}.real`, file);
    await expect(trust.require(root, [runnable])).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    expect(await state(root)).toMatchObject({ trusted: false, problem: expect.stringContaining("symbolic link") });
    remove(file);
    await trustAll(root);
    expect(await trust.require(root, [runnable])).toHaveLength(1);
  });

  test("eight processes that trust different projects at once lose nothing", async () => {
    const { trust, repository, records, root } = trustSandbox();
    const projects = Array.from({ length: 24 }, (_, number) => repository(`shop-${number}`));
    for (const project of projects) put(project, script, `echo ${project}\n`);
    const shares = Array.from({ length: 8 }, (_, share) => projects.filter((_project, index) => index % 8 === share));
    await Promise.all(shares.map((share) => trustInProcess(join(root, "home"), share)));
    for (const project of projects) expect(await trust.require(project, [runnable])).toHaveLength(1);
    expect(filesBelow(records.folder)).toHaveLength(projects.length);
  });
});
