import fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryApp, run } from "../../../test/harness/cli.ts";
import { commands } from "../../app/commands/index.ts";
import { globalOptions } from "./global-options.ts";
import { complete } from "./signature.ts";
import { withParts } from "./subcommands.ts";

const whole = (await withParts(commands)).map((command) => complete(command, () => new MemoryApp()));
const flags = [...whole.flatMap(({ options }) => Object.keys(options ?? {})), ...Object.keys(globalOptions)];

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...whole.flatMap(({ name }) => name.split(" ")), "registry") },
  {
    weight: 6,
    arbitrary: fc.constantFrom(...flags.map((name) => `--${name}`), "-h", "-v", "-f", "-n", "-fn5", "--", "-"),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...flags), fc.string()).map(([name, value]) => `--${name}=${value}`),
  },
  { weight: 2, arbitrary: fc.constantFrom("auto", "all", "tickets", "1h", "127.0.0.1:80", "-5", "--__proto__", "=") },
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
);

const binary = fc.constantFrom("forge", "forge-mcp", "fractary-forge", "fractary-forge-mcp", "bmad-mcp-server");

const env = fc.record(
  { FORGE_LOG: fc.string(), FORGE_LEDGER_DAYS: fc.string(), DATABASE_URL: fc.string(), DEBUG: fc.string() },
  { requiredKeys: [] },
);

const settingsFile = fc.option(
  fc.oneof(fc.string(), fc.json()).map((text) => ({ path: "/home/ada/.forge/settings.json", text })),
  { nil: undefined },
);

test("whatever the command line, it ends with 0, 1 or 2 and a word", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { maxLength: 6 }),
      binary,
      env,
      settingsFile,
      async (line, name, variables, file) => {
        const { code, out, err, app } = await run(line, { binary: name, env: variables, settingsFile: file });
        expect([0, 1, 2]).toContain(code);
        // Only `forge mcp` on stdin and stdout has nothing to say: it serves. Following an empty ledger shows none.
        const silent = app.calls.some(([call]) => call === "serveStdio" || call === "followActivity");
        if (!silent) expect(out + err).not.toBe("");
        if (code === 2) expect(err + out).not.toContain("Something went wrong");
        expect((out + err).replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      },
    ),
    { numRuns: 1500 },
  );
});

test("with --json, stdout is JSON or empty", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 5 }), async (line) => {
      const { out, code, app } = await run(["--json", ...line]);
      const following = app.calls.some(([call]) => call === "followActivity");
      if (out !== "" && !following) expect(JSON.parse(out)).toBeTypeOf("object");
      if (code !== 0) expect(JSON.parse(out)).toMatchObject({ error: true, code: expect.any(String) });
    }),
    { numRuns: 500 },
  );
});
