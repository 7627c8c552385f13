import fc from "fast-check";
import { expect, test } from "vitest";
import { CliProject } from "../../../test/harness/cli/cli.ts";
import { RecordedServers } from "../../../test/harness/cli/recorded-servers.ts";
import { anyCharacter } from "../../../test/harness/commons/any-character.ts";
import { commandFacts } from "../../app/commands/command-facts.ts";
import { binaryNamed } from "../../app/settings/binaries.ts";
import { settingsSource } from "../../app/settings/source.ts";
import type { App } from "../../commons/cli/app.ts";
import { commonOptionsOf } from "./common-options.ts";

const flags = [
  ...commandFacts.all().flatMap(({ options }) => Object.keys(options ?? {})),
  ...Object.keys(commonOptionsOf(settingsSource.options)),
];
const names = commandFacts.all().flatMap(({ name, aliases = [] }) => [name, ...aliases]);

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names.flatMap((name) => name.split(" ")), "registry") },
  {
    weight: 6,
    arbitrary: fc.constantFrom(...flags.map((name) => `--${name}`), "-h", "-v", "-f", "-n", "-fn5", "--", "-"),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...flags), fc.string()).map(([name, value]) => `--${name}=${value}`),
  },
  { weight: 2, arbitrary: fc.constantFrom("auto", "all", "tickets", "1h", "127.0.0.1:80", "-5", "--__proto__", "=") },
  { weight: 3, arbitrary: fc.string({ unit: anyCharacter, maxLength: 30 }) },
);

const binary = fc
  .constantFrom("forge", "forge-mcp", "fractary-forge", "fractary-forge-mcp", "bmad-mcp-server")
  .map(binaryNamed);

// A database's address is left out: what is a right one is connected to.
const env = fc.record(
  { FORGE_LOG: fc.string(), FORGE_LEDGER_DAYS: fc.string(), FORGE_TRUST_PROXY: fc.string(), DEBUG: fc.string() },
  { requiredKeys: [] },
);

const file = fc.option(
  fc.oneof(fc.string(), fc.json()).map((text) => ({ path: "/home/ada/.forge/settings.json", text })),
  { nil: undefined },
);

/** Random words must not write files elsewhere, start programs or follow the ledger for ever. */
function harmless(servers: RecordedServers) {
  return (app: App): Partial<App> => ({
    ...servers.with(),
    files: { read: async () => "", write: async () => undefined },
    terminal: { ...app.terminal, launch: async () => ({ code: 0 }), openBrowser: async () => false },
  });
}

type Line = { words: string[]; options: Parameters<CliProject["run"]>[1] };

/** Runs it in a project that all lines of a test share, for at most a second where it would never end. */
async function runLine(project: CliProject, { words, options }: Line) {
  const servers = new RecordedServers();
  const signal = AbortSignal.timeout(1_000);
  const ran = await project.run(["--project", project.root, ...words], {
    ...options,
    signal,
    with: harmless(servers),
  });
  return { ...ran, served: servers.calls.length > 0, stopped: signal.aborted };
}

test("whatever the command line, it ends with 0, 1 or 2 and a message", async () => {
  const project = new CliProject();
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 6 }), binary, env, file, async (words, name, variables, settings) => {
      const options = { binary: name, env: variables, ...(settings && { file: settings }) };
      const { code, out, err, served, stopped } = await runLine(project, { words, options });
      expect([0, 1, 2]).toContain(code);
      // `forge mcp` on stdin and stdout says nothing: it serves. Following an empty ledger shows none.
      if (!served && !stopped) expect(out + err).not.toBe("");
      if (code === 2) expect(err + out).not.toContain("Something went wrong");
      expect((out + err).replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    }),
    { numRuns: 1000 },
  );
});

test("with --json, stdout is JSON or empty", async () => {
  const project = new CliProject();
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 5 }), async (words) => {
      const { out, code, stopped } = await runLine(project, { words: ["--json", ...words], options: {} });
      if (out !== "" && !stopped) expect(JSON.parse(out)).toBeTypeOf("object");
      // A check that fails ends with 1 and prints its result, not an error.
      if (code === 1 && !stopped) expect(JSON.parse(out)).not.toEqual({});
      if (code === 2 && !stopped) expect(JSON.parse(out)).toMatchObject({ error: expect.anything() });
    }),
    { numRuns: 500 },
  );
});
