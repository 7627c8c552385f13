import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/definitions/command.ts";

export const serve = defineCommand({
  name: "serve",
  summary: "Run a Forge server for your team",
  details:
    "Serves a team's tickets over HTTP until Ctrl+C. The data is in one SQLite file, or in PostgreSQL if FORGE_DATABASE_URL or DATABASE_URL is set. " +
    "The first start prints a link to set the server up and become its first admin.\n\nBy default only this machine can " +
    "reach it. To let others in, put a proxy with HTTPS in front and give --public-url.",
  examples: [
    ["forge serve", "Try it out on this machine."],
    ["forge serve --public-url https://forge.example.com --trust-proxy", "Run it behind a proxy on the same machine."],
    ["forge serve --reset-admin ada@example.com", "Print a link for an admin who forgot their password."],
    ["forge serve --host 0.0.0.0 --port 8080 --data /srv/forge", "Run it in a container."],
  ],
  options: {
    host: { type: "string", value: "HOST", help: "Address to listen on (default: 127.0.0.1)." },
    port: {
      type: "number",
      integer: true,
      min: 0,
      max: 65_535,
      value: "N",
      help: "Port to listen on (default: 7718).",
    },
    data: { type: "string", value: "DIR", path: "folder", help: "Folder for the data (default: ~/.forge/server)." },
    "public-url": { type: "string", value: "URL", help: "The address that users reach the server at." },
    "reset-admin": { type: "string", value: "EMAIL", help: "Print a link for this user to set a new password." },
    "trust-proxy": { type: "boolean", help: "Take client addresses from the proxy in front." },
  },
  settings: [
    "databaseUrl",
    "serverDatabaseUrl",
    "ledgerDays",
    "serverHost",
    "serverPort",
    "serverData",
    "publicUrl",
    "trustProxy",
    "corsOrigins",
    "openidIssuer",
    "openidClientId",
    "openidClientSecret",
    "serverSecret",
  ],
  group: "server",
  async run(app: App, { options }, out) {
    const { host, port, data, "public-url": publicUrl, "trust-proxy": trustProxy, "reset-admin": resetAdmin } = options;
    if (resetAdmin !== undefined) {
      const step = {
        title: "Make a link for a new password of a server's user",
        input: { email: resetAdmin },
        ofUser: true,
      };
      await app.tools.approve("forge serve", step, out.signal);
    }
    const { runServe } = await import("./run-serve.ts");
    return runServe(app, { host, port, data, publicUrl, trustProxy, resetAdmin }, out);
  },
});
