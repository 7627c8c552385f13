import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { catalog } from "../../src/app/catalog.ts";
import { openMcpHost } from "../../src/app/local/mcp-host.ts";
import { Program } from "../../src/app/local/program.ts";
import { resolveSettings } from "../../src/app/settings/config.ts";
import { Trust } from "../../src/commons/trust/index.ts";
import { makeLists } from "../../src/hosts/mcp/lists/lists.ts";
import { isOn } from "../../src/kernel/definitions/tool.ts";
import { loadToolset } from "../../src/kernel/definitions/toolset.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { findProject } from "../../src/platform/state/project.ts";
import { rooms } from "../../src/rooms.ts";
import { runForge, runForgeOnTerminal } from "../harness/cli/terminal.ts";
import { describeWith } from "../harness/faults/faults.ts";
import { connectClient, eras } from "../harness/mcp/client.ts";

const script = "_bmad/_config/custom/cc-verify.sh";

/** A project with a script to trust, and a home to keep that in. */
function makeProject() {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-trust-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [cwd, home] = [join(root, "shop"), join(root, "home")];
  mkdirSync(join(cwd, "_bmad/_config/custom"), { recursive: true });
  mkdirSync(home);
  writeFileSync(join(cwd, script), "echo CC PASS\n");
  const { PATH = "" } = process.env;
  const place = { cwd, env: { PATH, HOME: home, TERM: "xterm" } };
  return {
    ...place,
    home,
    place,
    forge: (...args: string[]) => runForge(args, place),
    isTrusted: async () => JSON.parse((await runForge(["status", "--json"], place)).output).trust.trusted,
  };
}

describe("F08 trust by the real program", () => {
  test("without a terminal only --yes gives it; one byte takes it away; untrust takes it back", async () => {
    const { cwd, forge, isTrusted } = makeProject();
    expect(await forge("trust")).toMatchObject({ code: 1, output: expect.stringContaining("no terminal") });
    expect(await isTrusted()).toBe(false);
    expect(await forge("trust", "--yes")).toMatchObject({ code: 0, output: expect.stringContaining(script) });
    expect(await isTrusted()).toBe(true);
    writeFileSync(join(cwd, script), "echo CC PASS!\n");
    expect(await isTrusted()).toBe(false);
    writeFileSync(join(cwd, script), "echo CC PASS\n");
    expect(await isTrusted()).toBe(true);
    // The same files in another folder, at the same path: a clone of something else.
    renameSync(cwd, `${cwd}-before`);
    cpSync(`${cwd}-before`, cwd, { recursive: true });
    expect(await isTrusted()).toBe(false);
    rmSync(cwd, { recursive: true });
    renameSync(`${cwd}-before`, cwd);
    expect(await isTrusted()).toBe(true);
    expect((await forge("untrust")).code).toBe(0);
    expect(await isTrusted()).toBe(false);
    expect(readdirSync(cwd)).toEqual(["_bmad"]);
  });

  describeWith(["script"], "on a terminal it asks", () => {
    test.each([
      ["y\n", 0, true],
      ["n\n", 1, false],
      ["\n", 1, false],
      ["\u0004", 1, false],
    ])("%j", async (answer, code, trusted) => {
      const { place, isTrusted } = makeProject();
      const ran = await runForgeOnTerminal(["trust"], answer, place);
      expect(ran.output).toContain("sha256");
      expect({ code: ran.code, trusted: await isTrusted() }).toEqual({ code, trusted });
    });
  });
});

describe("nothing over MCP gives trust", () => {
  test.each(eras)(
    "every tool, prompt and resource, whatever it is given and whatever the person answers (%s)",
    async (era) => {
      const { cwd, home } = makeProject();
      vi.stubEnv("HOME", home);
      onTestFinished(() => void vi.unstubAllEnvs());
      const { settings } = resolveSettings({ flags: {}, env: {}, file: undefined });
      const options = { settings, project: findProject(cwd), cwd, redactor: new Redactor(), log: () => undefined };
      const program = new Program({ ...options, atKeyboard: false });
      onTestFinished(() => program.close());
      const toolsets = await Promise.all(rooms.map((room) => loadToolset(room)));
      const served = { toolsets: rooms.map(({ name }) => name), readOnly: false };
      const lists = makeLists(catalog, { ...served, serverName: "forge", version: "0" });
      const host = await openMcpHost({ program, lists, ...served });
      const client = await connectClient(host, era, { elicitation: {} }, (asking) => {
        asking.setRequestHandler("elicitation/create", () => ({
          action: "accept",
          content: { allow: true, trust: true },
        }));
      });
      const tools = toolsets.flatMap((toolset) => toolset.tools).filter((tool) => isOn("mcp", tool));
      const names = [...tools, ...toolsets.flatMap(({ prompts, resources }) => [...prompts, ...resources])];
      expect(names.map(({ name }) => name).filter((name) => /trust|approve/i.test(name))).toEqual([]);
      expect(tools.length).toBeGreaterThan(0);
      for (const { name, input } of tools) {
        for (const value of [undefined, cwd, "forge trust --yes", true, { trust: true, approved: true }]) {
          const given =
            value === undefined ? {} : Object.fromEntries(Object.keys(input.shape).map((key) => [key, value]));
          await client.callTool({ name, arguments: given });
        }
      }
      for (const { uri } of (await client.listResources()).resources) await client.readResource({ uri });
      for (const { name } of (await client.listPrompts()).prompts)
        await client.getPrompt({ name }).catch(() => undefined);
      await expect(new Trust().require(cwd, [{ id: `script:${script}`, file: script }])).rejects.toMatchObject({
        code: "TRUST_REQUIRED",
      });
      expect(readdirSync(home, { recursive: true }).filter((name) => String(name).includes("trust"))).toEqual([]);
    },
  );

  test("only commands have what gives trust and approves", () => {
    const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => ({ path: file.split(sep).join("/"), text: readFileSync(join("src", file), "utf8") }));
    const givers = sources.filter(({ text }) =>
      /(?:\}\s*from|import\()\s*"[^"]*\/trust-(?:desk|editor)\.ts"/.test(withoutTypes(text)),
    );
    expect(givers.map(({ path }) => path)).toContain("app/local/person.ts");
    expect(givers.filter(({ path }) => !path.startsWith("app/local/"))).toEqual([]);
    const deciders = sources
      .filter(({ text }) => /\bgiveTrust\b|\bperson\.decide\(|\bapprovals\(\)\)\.decide\(/.test(text))
      .map(({ path }) => path);
    expect(deciders.filter((path) => !/^app\/(?:commands|local)\/|^commons\/cli\/person\.ts$/.test(path))).toEqual([]);
  });
});

function withoutTypes(text: string): string {
  return text.replace(/import type [^;]+;/g, "");
}
