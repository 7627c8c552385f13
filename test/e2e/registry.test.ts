import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { CapturedStream, CliProject, withoutColours } from "../harness/cli/cli.ts";
import { serve } from "../harness/http/fetching.ts";
import { agent, noRegistries } from "../harness/rooms/registry.ts";

const registry = { prefix: ["registry"] };
const files = {
  ".fractary/config.json": noRegistries,
  ".fractary/agents/reviewer.yaml": agent("reviewer", { tags: ["review"] }),
};

test("fractary-forge lists, shows, checks, forks, merges and exports", async () => {
  const project = new CliProject(files);
  const run = (line: string) => project.run(line, { binary: registry });
  expect((await run("agent-list")).out).toBe("reviewer\t1.0.0\tlocal\tThe reviewer\n");
  expect((await run("agent-list --json")).json()).toMatchObject({ total: 1 });
  expect((await run("agent-info reviewer --show-prompt")).out).toContain("You are reviewer.");
  expect(await run("agent-validate reviewer --strict")).toMatchObject({ code: 0 });
  expect(readdirSync(project.root), "reading needs no store").not.toContain(".forge");
  expect(await run("fork reviewer mine")).toMatchObject({
    code: 0,
    out: expect.stringContaining("Forked reviewer@1.0.0"),
  });
  expect((await run("fork list")).out).toContain("mine\tagent\treviewer@1.0.0");
  expect((await run("merge mine")).out).toContain("up to date");
  expect((await run("export reviewer --to claude-agent")).out).toContain(join(".claude", "agents", "reviewer.md"));
  expect((await run("registry add shelf ./shelf")).out).toContain("config.json");
  expect((await run("source list")).out).toContain("shelf");
  expect(await run("cache clear --dry-run")).toMatchObject({
    code: 0,
    out: "Would remove 0 manifests and 0 downloads (0 B).\n",
  });
  expect(await run("config get registries.9")).toMatchObject({ code: 1 });
  expect(await run("cache nothing")).toMatchObject({ err: expect.stringContaining('no command "nothing"') });
});

test("a registry of a trusted project's file gets nothing until the user names it, too", async () => {
  const asked: (string | undefined)[] = [];
  const { url } = await serve((request, response) => {
    asked.push(request.headers.authorization);
    response.setHeader("content-type", "application/json").end(JSON.stringify({ results: [], total: 0 }));
  });
  const project = new CliProject({ "package.json": JSON.stringify({ scripts: { test: "node --test" } }) });
  project.git("init", "--quiet");
  expect(await project.run("trust --yes")).toMatchObject({ code: 0 });
  // It comes with a pull. The variable is one that every environment has.
  const registries = [{ name: "acme", type: "stockyard", url, token_env: "PATH" }];
  project.write(".fractary/config.json", JSON.stringify({ registries }));
  expect(await project.run("registry search hello")).toMatchObject({
    code: 2,
    err: expect.stringContaining("Only the project's files name the registry"),
  });
  expect(asked).toEqual([]);
  const add = ["registry", "source", "add", "acme", url, "--token-env", "PATH", "--global"];
  expect(await project.run(add)).toMatchObject({ code: 0, err: "" });
  expect(await project.run("registry search hello")).toMatchObject({ code: 0 });
  expect(asked).toEqual([`Bearer ${process.env["PATH"]}`]);
});

test("the same under `forge registry`, and a person is asked for what was not given", async () => {
  const project = new CliProject(files);
  const answers = ["Asked for", "Be good."];
  const created = await project.run("registry agent-create asked", {
    with: (app) => ({ terminal: { ...app.terminal, ask: async () => answers.shift() } }),
  });
  expect(created).toMatchObject({ code: 0 });
  expect((await project.run("registry agent-info asked --show-prompt")).out).toMatch(/Asked for[\s\S]*Be good\./);
});

test("`init` asks a person for the organization and the registry, and nobody else", async () => {
  const project = new CliProject({});
  const answers = ["acme", "https://forge.acme.example"];
  const asked = await project.run("init", {
    binary: registry,
    with: (app) => ({ terminal: { ...app.terminal, ask: async () => answers.shift() } }),
  });
  expect(asked).toMatchObject({ code: 0, out: expect.stringContaining("Created") });
  expect((await project.run("config get registries.0.url", { binary: registry })).out).toBe(
    "https://forge.acme.example/\n",
  );
  expect(await project.run("init", { binary: registry })).toMatchObject({
    code: 1,
    err: expect.stringContaining("already exists"),
  });
});

test("a person sees the plan before several plugins are installed, and then how far it is", async () => {
  const shelf = {
    "shelf/plugins/base/plugin.json": JSON.stringify({ name: "base", version: "1.0.0" }),
    "shelf/plugins/top/plugin.json": JSON.stringify({
      name: "top",
      version: "2.0.0",
      dependencies: { base: "^1.0.0" },
    }),
  };
  const project = new CliProject({
    ...shelf,
    ".fractary/config.json": JSON.stringify({ registries: [{ name: "shelf", url: "shelf" }] }),
    "package.json": JSON.stringify({ scripts: { test: "node --test" } }),
  });
  project.git("init", "--quiet");
  expect(
    await project.run("install top", { binary: registry }),
    "not from a folder of a project that is not trusted",
  ).toMatchObject({ code: 2 });
  expect(await project.run("trust --yes")).toMatchObject({ code: 0 });
  const plugins = join(project.root, ".fractary", "plugins");
  const asked: string[] = [];
  const install = async (answer: string) => {
    const stderr = new CapturedStream({ isTTY: true });
    const ask = async (question: string) => {
      asked.push(question);
      expect(existsSync(join(plugins, "base")), "nothing is there before the answer").toBe(false);
      return answer;
    };
    const ran = await project.run("install top", {
      binary: registry,
      stderr,
      with: (app) => ({ terminal: { ...app.terminal, ask } }),
    });
    return { ...ran, shown: withoutColours(stderr.text) };
  };
  expect(await install("n")).toMatchObject({
    code: 1,
    out: expect.stringMatching(/base\t1\.0\.0\tinstall[\s\S]*top\t2\.0\.0/),
  });
  expect(existsSync(plugins)).toBe(false);
  const { code, shown } = await install("");
  expect([code, asked]).toEqual([0, Array(2).fill("Install 2 plugins? [Y/n] ")]);
  expect(shown).toContain("[                    ] 0% Fetching base 1.0.0");
  expect(shown).toContain("[===============     ] 75% Installing top 2.0.0");
  expect(readdirSync(plugins).sort()).toEqual(["base", "forge", "top"]);
});

test("G07 a token that a registry sends back is not shown", async () => {
  const token = "plain-words-canary";
  const { url } = await serve((request, response) => {
    const [, sent] = request.headers.authorization?.split(" ") ?? [];
    response.writeHead(400).end(JSON.stringify({ message: `not ${sent}` }));
  });
  const project = new CliProject({ ".fractary/keep": "" });
  const write = (file: string, value: object) => {
    mkdirSync(dirname(join(project.home, file)), { recursive: true });
    writeFileSync(join(project.home, file), JSON.stringify(value));
  };
  write(".fractary/config.json", { registries: [{ name: "r", type: "stockyard", url }] });
  write(".fractary/auth/credentials.json", { registries: { r: { token } } });
  const { err } = await project.run("whoami", { binary: registry });
  expect(err).toContain("refused: not [redacted]");
  expect(err).not.toContain(token);
});

test("I11 the built fractary-forge, three times at once: each plugin is there, and in the lock file", async () => {
  const names = ["a", "b", "c"];
  const manifests = names.map((name) => [`shelf/${name}/plugin.json`, JSON.stringify({ name, version: "1.0.0" })]);
  const project = new CliProject({ ".fractary/config.json": noRegistries, ...Object.fromEntries(manifests) });
  const program = join(import.meta.dirname, "..", "..", "bin", "fractary-forge.cjs");
  const env = { PATH: process.env["PATH"] ?? "", HOME: project.home };
  const install = async (name: string) => {
    const args = [program, "install", `./shelf/${name}`, "--json"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project.root, env });
    return JSON.parse(stdout) as { steps: object[] };
  };
  expect(await Promise.all(names.map(install))).toMatchObject(names.map((name) => ({ steps: [{ name }] })));
  const plugins = join(project.root, ".fractary", "plugins");
  expect(readdirSync(plugins).sort()).toEqual([...names, "forge"]);
  const { locked } = JSON.parse(readFileSync(join(plugins, "forge", "lock.json"), "utf8"));
  expect(locked.plugins.map(({ name }: { name: string }) => name)).toEqual(names);
});
