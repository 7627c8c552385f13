import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";

export const serve = defineCommand({
  name: "serve",
  summary: "Run a Forge server for your team",
  details:
    "Keeps a team's tickets for everybody in it, over HTTP, until Ctrl+C. The data is in one SQLite file, or in PostgreSQL where " +
    "DATABASE_URL names one. The first start prints a link with which you become the first admin.\n\nIt listens on this " +
    "machine only, unless you give --host. For others to reach it, put a proxy with https in front, and give --public-url.",
  examples: [
    ["forge serve", "On this machine, to try it out."],
    ["forge serve --public-url https://forge.example.com --trust-proxy", "Behind a proxy on the same machine."],
    ["forge serve --reset-admin ada@example.com", "Where the last admin has forgotten the password."],
    ["forge serve --host 0.0.0.0 --port 8080 --data /srv/forge", "In a container."],
  ],
  options: {
    host: { type: "string", value: "HOST", help: "The address to listen on; 127.0.0.1 unless told." },
    port: {
      type: "number",
      integer: true,
      min: 0,
      max: 65_535,
      value: "N",
      help: "The port to listen on; 7718 unless told.",
    },
    data: { type: "string", value: "DIR", path: "folder", help: "Where the data is; ~/.forge/server unless told." },
    "public-url": { type: "string", value: "URL", help: "Where people reach it." },
    "reset-admin": { type: "string", value: "EMAIL", help: "Print a link with which this user sets a new password." },
    "trust-proxy": { type: "boolean", help: "Take the callers' addresses from the proxy in front." },
  },
  settings: [
    "databaseUrl",
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
  ],
  group: "server",
  async run(app: App, { options }, out) {
    const { host, port, data, "public-url": publicUrl, "trust-proxy": trustProxy, "reset-admin": resetAdmin } = options;
    const { runServe } = await import("./run-serve.ts");
    return runServe(app, { host, port, data, publicUrl, trustProxy, resetAdmin }, out);
  },
});
