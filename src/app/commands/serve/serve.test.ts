import { describe, expect, test } from "vitest";
import { run } from "../../../../test/harness/cli/cli.ts";
import { RecordedServers } from "../../../../test/harness/cli/recorded-servers.ts";
import { ForgeError } from "../../../kernel/errors.ts";

const auto = { toolsets: "auto", profile: undefined, readOnly: false };

/** A line, with the servers that it would start. */
async function started(line: string, servers = new RecordedServers()) {
  const ran = await run(line, { with: servers.with });
  return { ...ran, calls: servers.calls };
}

describe("mcp and up", () => {
  test.each([
    ["mcp", ["stdio", auto]],
    ["mcp --read-only --toolsets all", ["stdio", { ...auto, toolsets: "all", readOnly: true }]],
    ["mcp --http", ["http", auto, ""]],
    ["mcp --http 127.0.0.1:8080", ["http", auto, "127.0.0.1:8080"]],
    ["mcp --http=[::1]:8080", ["http", auto, "[::1]:8080"]],
    ["mcp --http localhost", ["http", auto, "localhost"]],
    ["mcp --http 8080 --read-only", ["http", { ...auto, readOnly: true }, "8080"]],
    ["up", ["up", auto, undefined]],
    ["up --port 0", ["up", auto, "0"]],
    ["up --port 8080 --toolsets tickets", ["up", { ...auto, toolsets: "tickets" }, "8080"]],
    ["up --http :9000", ["up", auto, ":9000"]],
  ])("forge %s", async (line, call) => {
    const { code, calls } = await started(line);
    expect(code).toBe(0);
    expect(calls).toEqual([call]);
  });

  test.each([
    ["up --port 65536", "an integer from 0 to 65535"],
    ["up --port 80 --http 1.2.3.4:5", "--port and --http cannot be combined."],
    ["up --http", "--http needs a value"],
    ["mcp extra", "takes no arguments"],
  ])("forge %s is refused", async (line, message) => {
    const { code, err, calls } = await started(line);
    expect({ code, calls }).toEqual({ code: 1, calls: [] });
    expect(err).toContain(message);
  });

  test("stdout belongs to the protocol", async () => {
    expect((await started("mcp")).out).toBe("");
    expect(await started("mcp --http")).toMatchObject({
      out: "",
      err: expect.stringContaining("http://127.0.0.1:4000/mcp"),
    });
  });

  test("up says where it is and how to connect", async () => {
    const { out, err } = await started("up");
    expect(err).toBe("");
    for (const line of [
      "http://127.0.0.1:4000/",
      "claude mcp add --transport http forge http://127.0.0.1:4000/mcp",
      "mcp --project /home/ada/shop",
      '{"mcpServers":{"forge":{"url":"http://127.0.0.1:4000/mcp"}}}',
      "Ctrl+C",
    ]) {
      expect(out).toContain(line);
    }
    expect((await started("up --json")).json()).toMatchObject({
      mcpUrl: "http://127.0.0.1:4000/mcp",
      connect: { claudeCode: "claude mcp add --transport http forge http://127.0.0.1:4000/mcp" },
    });
  });

  test("a server that cannot start is exit code 2", async () => {
    const taken = new ForgeError("NETWORK_ERROR", "Port 8080 is taken.", { next: ["Choose another with --port."] });
    const ran = await run("up --port 8080", {
      with: (app) => ({ serve: { ...app.serve, up: () => Promise.reject(taken) } }),
    });
    expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining("Port 8080 is taken.") });
  });

  test("mcp --test says what it would serve", async () => {
    expect((await run("mcp --test --toolsets tickets")).out).toMatch(/^forge [\d.]+: \d+ tools \(tickets\), ready\n$/);
    expect((await run("mcp --test --json")).json()).toMatchObject({ server: "forge", toolsets: ["tickets", "memory"] });
  });
});

describe("serve", () => {
  test("says where it is, and shows the setup link beside the output", async () => {
    const { out, err, calls } = await started(
      "serve --port 0 --data /srv/forge --public-url https://forge.example --trust-proxy",
    );
    expect(out).toContain("http://127.0.0.1:7718");
    expect(out).not.toContain("setup");
    expect(err).toContain("http://127.0.0.1:7718/setup?code=abc");
    const request = { port: 0, data: "/srv/forge", publicUrl: "https://forge.example", trustProxy: true };
    expect(calls).toEqual([["team", { ...request, host: undefined, resetAdmin: undefined }]]);
  });

  test.each([
    ["https://forge.example", /^Sign in from a laptop: forge login --url https:\/\/forge\.example$/m],
    ["http://127.0.0.1:7718", /^Sign in on this machine: forge login --url http:\/\/127\.0\.0\.1:7718$/m],
    [undefined, /^(?!.*forge login)/s],
  ])("names only a login that would work (%s)", async (loginUrl, words) => {
    const servers = new RecordedServers();
    servers.served = { ...servers.served, loginUrl, advice: "One thing.\nAnother." };
    const { out, err } = await started("serve", servers);
    expect(out).toMatch(words);
    expect(err).toContain("One thing.\nAnother.\n");
  });

  test("asks for a link for a user who forgot their password", async () => {
    const { calls } = await started("serve --reset-admin ada@example.com");
    expect(calls).toMatchObject([["team", { resetAdmin: "ada@example.com" }]]);
  });
});

test("toolsets is a table with what is served, why, and its cost", async () => {
  const { out } = await run("toolsets --toolsets all");
  expect(out).toMatch(/^TOOLSET +SERVED +TOOLS +PROMPTS +RESOURCES +TOKENS +WHY\n/);
  expect(out).toMatch(/\ntickets +yes +\d+ +2 +2 +\d+ {2}all toolsets were asked for\n/);
  expect(out).toMatch(/\nregistry +yes +18 +\d+ +\d+ +\d+ {2}all toolsets were asked for\n/);
  expect(out).toMatch(/\n\nServed: \d+ tools, about \d+ tokens\.\n$/);
  expect(JSON.parse((await run("toolsets --json")).out)).toContainEqual(
    expect.objectContaining({ name: "workbench", served: false, reason: "not a git repository" }),
  );
});
