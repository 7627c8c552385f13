import type { App, UpPlace } from "../../../commons/cli/app.ts";
import { defineCommand, type Style } from "../../../kernel/definitions/command.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { completeSelection, noToken, readSelection, selectionOptions } from "./selection.ts";

const { toolsets, "read-only": readOnly } = selectionOptions;

export const up = defineCommand({
  name: "up",
  summary: "Serve this project and show how to connect",
  details:
    "Starts MCP over HTTP and a status page for the current project, prints how to connect your assistant, and runs until " +
    "Ctrl+C. It needs no setup, and only this machine can reach it.",
  examples: [
    ["forge up", "Serve the project in the current folder."],
    ["forge up --port 8080", "Serve it on a fixed port."],
    ["forge up --project ../shop --read-only", "Serve another project, without the tools that change anything."],
  ],
  options: {
    port: { type: "number", integer: true, min: 0, max: 65_535, value: "N", help: "Port to listen on." },
    http: { type: "string", value: "HOST:PORT", help: "Address to listen on, instead of --port." },
    toolsets,
    "read-only": readOnly,
    "no-token": noToken,
  },
  settings: ["project", "databaseUrl", "ledgerDays", "apiUrl", "token"],
  group: "start",
  common: true,
  complete: completeSelection,
  async run(app: App, { options }, out) {
    if (options.port !== undefined && options.http !== undefined) {
      throw new ForgeError("VALIDATION_ERROR", "--port and --http cannot be combined.", {
        next: ["Use one of the two."],
      });
    }
    const address = options.http ?? options.port?.toString();
    const selection = { ...readSelection(options, app), ...(options["no-token"] && { withoutToken: true }) };
    return app.serve.up(selection, address, (place) => {
      out.data({ ...place, connect: connections(place) }, () => welcome(place, out.style));
    });
  },
});

/** How each client connects, as its own documentation has it. */
function connections({ mcpUrl, token }: UpPlace) {
  const authorization = `Bearer ${token}`;
  const headers = token === undefined ? {} : { headers: { Authorization: authorization } };
  const option = token === undefined ? "" : ` --header "Authorization: ${authorization}"`;
  return {
    claudeCode: `claude mcp add --transport http forge ${mcpUrl}${option}`,
    claudeCodeStdio: "claude mcp add forge -- forge mcp",
    cursor: { mcpServers: { forge: { url: mcpUrl, ...headers } } },
    vsCode: { servers: { forge: { type: "http", url: mcpUrl, ...headers } } },
  };
}

function welcome(place: UpPlace, style: Style): string {
  const connect = connections(place);
  return [
    `Forge is serving ${style.bold(plain(place.project))}`,
    "",
    `  Status page   ${style.cyan(place.url)}`,
    `  MCP           ${style.cyan(place.mcpUrl)}`,
    "",
    style.bold("Connect your assistant"),
    "",
    "  Claude Code, to this server:",
    `    ${connect.claudeCode}`,
    "  Claude Code, starting its own (no need for this command to run):",
    `    ${connect.claudeCodeStdio}`,
    "  Cursor, in ~/.cursor/mcp.json (not in the project, where git would track the token):",
    `    ${JSON.stringify(connect.cursor)}`,
    "  VS Code, in your own mcp.json (command: MCP: Open User Configuration):",
    `    ${JSON.stringify(connect.vsCode)}`,
    "",
    "Press Ctrl+C to stop.",
  ].join("\n");
}
