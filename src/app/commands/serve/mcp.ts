import type { App, Selection } from "../../../commons/cli/app.ts";
import { defineCommand, type Output } from "../../../kernel/definitions/command.ts";
import { profileNamed } from "../../settings/profiles.ts";
import { completeSelection, noToken, readSelection, selectionOptions } from "./selection.ts";

export const mcp = defineCommand({
  name: "mcp",
  summary: "Serve this project's tools to an AI assistant over MCP",
  details:
    "An assistant starts this command itself and talks to it over stdin and stdout; you rarely run it by hand. It ends when " +
    "the assistant does.\n\nWith --http it listens on this machine instead, for assistants that connect by URL.",
  examples: [
    ["claude mcp add forge -- forge mcp", "Let Claude Code start it in this project."],
    ["forge mcp --toolsets tickets --read-only", "Serve only the tickets tools that read."],
    ["forge mcp --http 127.0.0.1:8080", "Serve over HTTP on a fixed port."],
    ["forge mcp --test", "Check that it would start, and show what it would serve."],
  ],
  options: {
    ...selectionOptions,
    http: {
      type: "string",
      value: "HOST:PORT",
      optionalValue: true,
      help: "Listen for HTTP instead of using stdin and stdout.",
    },
    "no-token": noToken,
    test: { type: "boolean", help: "Show what would be served, then exit." },
  },
  settings: ["project", "databaseUrl", "ledgerDays", "apiUrl", "token"],
  group: "start",
  complete: completeSelection,
  async run(app: App, { options }, out) {
    const selection = readSelection(options, app);
    if (options.test) return test(app, selection, out);
    if (options.http === undefined) return app.serve.stdio(selection);
    const served = { ...selection, ...(options["no-token"] && { withoutToken: true }) };
    return app.serve.http(served, options.http, (url, token) => {
      out.note(`Serving MCP on ${url} (Ctrl+C to stop)`);
      if (token !== undefined) out.note(`Clients send the header Authorization: Bearer ${token}`);
    });
  },
});

async function test(app: App, selection: Selection, out: Output): Promise<number> {
  const served = app.toolsets.report(selection).filter((toolset) => toolset.served);
  const result = {
    server: profileNamed(selection.profile).serverName,
    version: app.version,
    toolsets: served.map(({ name }) => name),
    tools: served.reduce((sum, { tools }) => sum + tools, 0),
  };
  out.data(result, ({ server, version, tools, toolsets }) => {
    return `${server} ${version}: ${tools} ${tools === 1 ? "tool" : "tools"} (${toolsets.join(", ")}), ready`;
  });
  return 0;
}
