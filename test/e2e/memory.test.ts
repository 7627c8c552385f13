import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { RunningProgram, startForge } from "../harness/cli/program.ts";

const binary = join(import.meta.dirname, "..", "..", "bin", "bmad-mcp-server.cjs");
const text = (index: number) => `Decision number ${index}: the queue ${index * 31} is drained first.`;

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "forge-memory-e2e-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function call(
  program: RunningProgram,
  name: string,
  args: Record<string, string>,
): Promise<Record<string, unknown>> {
  const { result } = await program.call(name, args);
  return (result as { structuredContent: Record<string, unknown> }).structuredContent;
}

test("bmad-mcp-server --test says what it serves", () => {
  const said = execFileSync(process.execPath, [binary, "--test"], { cwd: makeFolder(), encoding: "utf8" });
  expect(said).toMatch(/^bmad-mcp-server \d+\.\d+\.\d+: 9 tools \(memory\), ready\n$/);
});

test("what was acknowledged survives kill -9, at any moment", async () => {
  const [cwd, HOME] = [makeFolder(), makeFolder()];
  const acknowledged = new Set<string>();
  for (let round = 0; round < 6; round++) {
    const program = RunningProgram.start(binary, [], { cwd, env: { HOME } });
    await program.initialize();
    const kill = 3 + round * 4;
    const calls = Array.from({ length: 40 }, (_, index) => {
      const arguments_ = { type: "decisions", agent: `dev-${round}`, text: text(index) };
      return call(program, "remember_structured", arguments_).then(({ id }) => {
        acknowledged.add(String(id));
        if (acknowledged.size >= kill + round * 10) program.child.kill("SIGKILL");
      });
    });
    await Promise.race([Promise.allSettled(calls), program.exited]);
    program.child.kill("SIGKILL");
    await program.exited;
  }
  const listed = execFileSync(
    process.execPath,
    [binary.replace("bmad-mcp-server", "forge"), "memory", "list", "--limit", "1000", "--json"],
    { cwd, encoding: "utf8", env: { PATH: process.env["PATH"], HOME } },
  );
  const stored = new Set(JSON.parse(listed).memories.map(({ id }: { id: string }) => id));
  expect(acknowledged.size).toBeGreaterThan(20);
  expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
});

test("several clients over HTTP at once: each hears what it subscribed to, and each project has its own memories", async () => {
  const heard = new Set<string>();
  const projects = await Promise.all(
    ["shop", "bank"].map(async (name) => {
      const program = startForge(["mcp", "--profile", "memory", "--http", "127.0.0.1:0"], { cwd: makeFolder() });
      const [url = ""] = await program.until("the address", () => /http:\S+/.exec(program.stderr) ?? undefined);
      const [, token] = await program.until("the token", () => /(Bearer \S+)/.exec(program.stderr) ?? undefined);
      const requestInit = { headers: { authorization: token ?? "" } };
      const clients = await Promise.all(
        ["cursor", "cline", "vscode"].map(async (ide) => {
          const client = new Client({ name: ide, version: "1" }, { capabilities: {} });
          client.setNotificationHandler("notifications/resources/updated", () => void heard.add(`${name} ${ide}`));
          await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
          onTestFinished(() => client.close());
          return client;
        }),
      );
      await clients[0]?.subscribeResource({ uri: "forge://memories/decisions" });
      await Promise.all(
        clients.map((client, index) =>
          client.callTool({
            name: "remember_structured",
            arguments: { type: "decisions", agent: "dev", text: `${name} keeps sessions in store ${index}` },
          }),
        ),
      );
      return { name, clients };
    }),
  );
  for (const { name, clients } of projects) {
    for (const client of clients) {
      const { structuredContent } = await client.callTool({
        name: "recall_structured",
        arguments: { query: "where are sessions kept", limit: 10 },
      });
      const { results } = structuredContent as { results: { text: string }[] };
      expect(results.length).toBeGreaterThan(0);
      expect(results.every((result) => result.text.startsWith(name))).toBe(true);
    }
  }
  await vi.waitFor(() => expect([...heard].sort()).toEqual(["bank cursor", "shop cursor"]), 20_000);
});
