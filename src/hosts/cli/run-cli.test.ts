import { describe, expect, test } from "vitest";
import { CapturedStream, run } from "../../../test/harness/cli/cli.ts";
import { echoed, failing, withEcho } from "../../../test/harness/cli/fixture-commands.ts";
import { type ErrorCode, errorCodes, ForgeError } from "../../kernel/errors.ts";
import { Redactor } from "../../kernel/text/redactor.ts";

describe("arguments", () => {
  test.each([
    ["echo hi", { words: ["hi"], times: 1 }],
    ["echo hi --loud", { words: ["hi"], times: 1, loud: true }],
    ["echo -l hi", { words: ["hi"], times: 1, loud: true }],
    ["echo hi --loud=false", { words: ["hi"], times: 1, loud: false }],
    ["--loud echo hi", { words: ["hi"], times: 1, loud: true }],
    ["--times 3 echo hi", { words: ["hi"], times: 3 }],
    ["--log-level debug echo hi --times=4 --times 5", { words: ["hi"], times: 5 }],
    ["--tag a echo --tag b hi --tag=c", { words: ["hi"], times: 1, tag: ["a", "b", "c"] }],
    ["echo -- --loud", { words: ["--loud"], times: 1 }],
    ["-- echo hi", { words: ["hi"], times: 1 }],
    ["echo hi --near", { words: ["hi"], times: 1, near: "" }],
    ["echo hi --near --loud", { words: ["hi"], times: 1, near: "", loud: true }],
    ["echo hi --near here", { words: ["hi"], times: 1, near: "here" }],
    ["echo hi --near=here", { words: ["hi"], times: 1, near: "here" }],
    ["--near echo hi", { words: ["hi"], times: 1, near: "" }],
    ["--near there echo hi", { words: ["hi"], times: 1, near: "there" }],
    ["echo hi --ratio -1.5", { words: ["hi"], times: 1, ratio: -1.5 }],
    ["echo hi --mood calm", { words: ["hi"], times: 1, mood: "calm" }],
    ["echo - ", { words: ["-"], times: 1 }],
  ])("%s", async (line, expected) => {
    expect(await echoed(line)).toEqual(expected);
  });

  test.each([
    ["ecoh", 'Unknown command "ecoh".', "Did you mean `echo`?"],
    ["frobnicate", 'Unknown command "frobnicate".', "forge --help"],
    ["echo hi --lout", 'Unknown option "--lout" for `forge echo`.', "Did you mean `--loud`?"],
    ["echo hi -x", 'Unknown option "-x" for `forge echo`.', "forge echo --help"],
    ["--lout", 'Unknown option "--lout".', "Did you mean `--loud`"],
    ["--lout frob", 'Unknown option "--lout".', "Did you mean `--loud`"],
    ["--loud", "--loud needs a command", "forge --help"],
    ["echo hi --__proto__ x", 'Unknown option "--__proto__"', "forge echo --help"],
    ["echo hi --constructor", 'Unknown option "--constructor"', "forge echo --help"],
    ["echo hi --times", "--times needs a value; it must be an integer from 1 to 9.", "--times=VALUE"],
    ["echo hi --tag --loud", "--tag needs a value.", "--tag=VALUE"],
    ["echo hi --times ten", '--times cannot be "ten"; it must be an integer from 1 to 9.', "forge echo --help"],
    ["echo hi --times 10", '--times cannot be "10"', "forge echo --help"],
    ["echo hi --times 1.5", '--times cannot be "1.5"', "forge echo --help"],
    ["echo hi --times 0x1", '--times cannot be "0x1"', "forge echo --help"],
    ["echo hi --mood angy", '--mood cannot be "angy". Use calm or angry.', "Did you mean `angry`?"],
    ["echo hi --loud=yes", "--loud takes no value.", "forge echo --help"],
    ["echo hi --json=1", "--json takes no value.", "forge echo --help"],
    ["echo", "`forge echo` needs WORD: What to say.", "forge echo --help"],
    ["echo a b", '`forge echo` takes one argument; "b" is one too many.', "forge echo --help"],
    ["echo a --project", "--project needs a value.", "forge echo --help"],
  ])("%s is refused", async (line, message, suggestion) => {
    const { code, out, err } = await run(line, { roomSet: withEcho });
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err).toContain(`error: ${message}`);
    expect(err).toContain(suggestion);
  });

  test("a long word is not quoted back whole", async () => {
    const { err } = await run(["x".repeat(10_000)]);
    expect(err.length).toBeLessThan(300);
  });
});

describe("errors", () => {
  const serverSide: ErrorCode[] = ["INTERNAL_ERROR", "NETWORK_ERROR", "STORE_ERROR", "TIMEOUT"];

  test.each(errorCodes)("%s has its exit code", async (code) => {
    const error = new ForgeError(code, "It is so.", { next: ["Do this.", "Or that."] });
    const ran = await run("fail", { roomSet: await failing(error) });
    expect(ran).toMatchObject({ code: serverSide.includes(code) ? 2 : 1, out: "" });
    expect(ran.err).toBe("error: It is so.\n  Do this.\n  Or that.\n");
  });

  test("with --json the body is all of stdout", async () => {
    const error = new ForgeError("NOT_FOUND", "No such thing.", { details: { id: "T-1" }, next: ["Look."] });
    const ran = await run("--json fail", { roomSet: await failing(error) });
    expect(ran).toMatchObject({ code: 1, err: "" });
    expect(JSON.parse(ran.out)).toEqual({
      error: true,
      code: "NOT_FOUND",
      message: "No such thing.",
      details: { id: "T-1" },
      suggestions: ["Look."],
    });
  });

  test.each(["nosuch --json", "--json", "version --nope --json", "mcp --profile nope --json"])(
    "%s prints nothing but JSON on stdout",
    async (line) => {
      const { out } = await run(line);
      expect(JSON.parse(out)).toBeTypeOf("object");
    },
  );

  test.each([new TypeError("secret path /home/ada"), "a string", undefined, null])(
    "a stranger (%s) says one line and a hint",
    async (thrown) => {
      const { code, out, err } = await run("fail", { roomSet: await failing(thrown) });
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toBe(
        "error: Something went wrong inside Forge.\n  Run it again with DEBUG=forge:* to see where, and report it with what that shows.\n",
      );
    },
  );

  test("where it happened is shown to who asks, without secrets", async () => {
    const thrown = new TypeError("bad postgres://ada:hunter22@db/shop", { cause: new Error("the disk") });
    const { err } = await run("fail", { roomSet: await failing(thrown), env: { DEBUG: "forge:*" } });
    expect(err).toContain("TypeError: bad");
    expect(err).toContain("run-cli.test.ts");
    expect(err).toContain("caused by Error: the disk");
    expect(err).not.toContain("hunter22");
  });

  test("what any part has learned to be secret is in no error, nor is the database's password", async () => {
    const redactor = new Redactor();
    redactor.learn("a token of no known shape");
    const message = "refused a token of no known shape, then tr0ub4dor&3";
    const thrown = new ForgeError("NETWORK_ERROR", message, { cause: new Error(message) });
    const env = { FORGE_DATABASE_URL: "postgres://ada:tr0ub4dor%263@db/shop", DEBUG: "forge:*" };
    const { err } = await run("fail", { roomSet: await failing(thrown), redactor, env });
    expect(err).toContain("error: refused [redacted], then [redacted]");
    expect(err).toContain("caused by");
    expect(err).not.toMatch(/known shape|tr0ub4dor/);
  });

  test("an error's text cannot drive the terminal or fake a line", async () => {
    const thrown = new ForgeError("NOT_FOUND", "No \x1b[2J\nerror: fake", { next: ["\x1b]0;x\x07"] });
    const stderr = new CapturedStream({ isTTY: true });
    await run("fail", { roomSet: await failing(thrown), stderr });
    expect(stderr.text).toContain("\x1b[31merror:\x1b[39m No \\x1b[2J\\nerror: fake");
    expect(stderr.text.split("\n")).toHaveLength(3);
    expect(stderr.text).not.toContain("\x1b]");
  });
});
