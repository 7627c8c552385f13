import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";
import { serverSettings } from "./server-settings.ts";

export const login = defineCommand({
  name: "login",
  summary: "Sign in to a Forge server",
  details:
    "Shows an address and a code. Open the address in any browser, on this machine or another, sign in there and compare " +
    "the code; then this command goes on by itself. From then on tickets come from that server, for you and for the " +
    "assistants that you start. What is kept is in ~/.forge/config.json, for your eyes only.\n\nA sign-in that its server no " +
    "longer accepts is replaced. One that still holds, there or on another server, stays unless you give --replace.",
  examples: [
    ["forge login --url https://forge.example.com", "Sign in to your team's server."],
    ["forge login --url https://forge.example.com --team engines", "To work in one of several teams of yours."],
    ["forge login --team wheels --replace", "On the same server, in another team from now on."],
    ["forge login --no-browser", "Only print the address, as over SSH; the server is the one in FORGE_API_URL."],
  ],
  options: {
    url: { type: "string", value: "URL", help: "The server, instead of the one in FORGE_API_URL or of before." },
    team: {
      type: "string",
      value: "SLUG",
      help: "The team to work in, where you have several; forge team list shows them.",
    },
    replace: { type: "boolean", help: "Give up the sign-in that you have, even if it still holds." },
    "no-browser": { type: "boolean", help: "Do not open a browser, only print the address." },
  },
  settings: [...serverSettings, "appUrl"],
  group: "server",
  async run(app: App, { options }, out) {
    const { runLogin } = await import("./work/index.ts");
    const { url, team, replace = false, "no-browser": noBrowser = false } = options;
    return runLogin(app, { url, team, replace, noBrowser }, out);
  },
});
