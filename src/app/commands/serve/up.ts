import type { App, UpPlace } from "../../../commons/cli/app.ts";
import { shellWord } from "../../../commons/cli/shell-word.ts";
import { defineCommand, type Style } from "../../../kernel/definitions/command.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { Launch } from "../../../rooms/setup/clients/launch.ts";
import type { SetupServices } from "../../../rooms/setup/services.ts";
import { completeSelection, linkNeedsTerminal, noToken, readSelection, selectionOptions } from "./selection.ts";

const { toolsets, "read-only": readOnly } = selectionOptions;

export const up = defineCommand({
  name: "up",
  summary: "Serve this project and show how to connect",
  details:
    "Starts MCP over HTTP and the board for the current project, prints how to connect your assistant, and runs until " +
    "Ctrl+C. It needs no setup, and only this machine can reach it. A project keeps its port. If the project " +
    "is being served already, the command says where, and ends.\n\nAnyone who opens the board's link acts as you, so the link is shown " +
    "only in a terminal. If the command was started elsewhere (a service, a script), run it in a terminal as well.",
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
    "offer-demo": { type: "boolean", help: "Offer the demo if this folder has no Forge project yet." },
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
    if (options["offer-demo"] && !app.project.store.exists) {
      const question = "This folder has no Forge project yet. See the demo first, in ./forge-demo?";
      if (await app.person.confirm(question, out.signal)) {
        const { runDemo } = await import("../demo/run-demo.ts");
        return runDemo(app, { yes: true }, out);
      }
    }
    const address = options.http ?? options.port?.toString();
    const selection = { ...readSelection(options, app), ...(options["no-token"] && { withoutToken: true }) };
    const { setup } = await app.room<SetupServices>("setup");
    return app.serve.up(selection, address, (place) => {
      const connect = connections(place, setup.launch(place.project));
      out.data({ ...place, connect }, () => welcome(place, connect, out.style));
    });
  },
});

/** How each client connects, as its own documentation has it. Commands are quoted for a shell, and work in any folder. */
function connections({ mcpUrl, token }: UpPlace, { command, args }: Launch) {
  const launch = [command, ...args].map(shellWord).join(" ");
  const authorization = `Bearer ${token}`;
  const headers = token === undefined ? {} : { headers: { Authorization: authorization } };
  const option = token === undefined ? "" : ` --header "Authorization: ${authorization}"`;
  return {
    claudeCode: `claude mcp add --transport http forge ${mcpUrl}${option}`,
    claudeCodeStdio: `claude mcp add forge -- ${launch}`,
    cursor: { mcpServers: { forge: { url: mcpUrl, ...headers } } },
    vsCode: { servers: { forge: { type: "http", url: mcpUrl, ...headers } } },
  };
}

function welcome(place: UpPlace, connect: ReturnType<typeof connections>, style: Style): string {
  const { running } = place;
  const project = style.bold(plain(place.project));
  return [
    running
      ? `Forge ${plain(running.version)} is already serving ${project} (process ${running.pid})`
      : `Forge is serving ${project}`,
    "",
    `  Board         ${style.cyan(place.url)}`,
    ...(place.withoutLink ? [`                ${linkNeedsTerminal}`] : []),
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
    running ? "To stop it, press Ctrl+C in its terminal." : "Press Ctrl+C to stop.",
  ].join("\n");
}
