import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";
import { serverSettings } from "./server-settings.ts";

export const token = defineCommand({
  name: "token",
  summary: "Make, list and end tokens for programs",
  details:
    "A token lets a program, such as a build server, work in your name: give it in FORGE_TOKEN, with FORGE_API_URL. It may do " +
    "no more than you, and only what its scopes say: tickets:read, tickets:write, activity:read, activity:write, access:read, " +
    "access:write.",
  examples: [
    ["forge token create ci --scope tickets:read --days 90", "A token that may only look, for 90 days."],
    ["forge token list", "Those there are."],
    ["forge token revoke 5d0c…", "End one, by the id in the list."],
  ],
  arguments: [
    { name: "action", required: true, help: "create, list or revoke." },
    { name: "name", required: false, help: "What a new token is for, or the id of the one to end." },
  ],
  options: {
    scope: { type: "list", value: "SCOPE", help: "What it may do; several times, or separated by commas." },
    days: {
      type: "number",
      value: "N",
      integer: true,
      min: 1,
      max: 3_650,
      help: "For how long; for ever unless told.",
    },
  },
  settings: serverSettings,
  group: "server",
  async complete(app: App, place) {
    const { completeToken } = await import("./work/index.ts");
    return completeToken(app, place);
  },
  async run(app: App, { positionals: [action = "", name], options: { scope = [], days } }, out) {
    const { runToken } = await import("./work/index.ts");
    return runToken(app, { action, name, scopes: scope, days }, out);
  },
});
