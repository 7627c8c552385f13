import { defineCommand, type Output } from "../../../../kernel/command.ts";
import { ForgeError } from "../../../../kernel/errors.ts";
import type { PendingLogin, SignedInHere } from "../../access.ts";
import type { App } from "../../app.ts";
import { plain } from "../../text.ts";
import { serverSettings } from "./server-settings.ts";

export const login = defineCommand({
  name: "login",
  summary: "Sign in to a Forge server",
  details:
    "Shows an address and a code. Open the address in any browser, on this machine or another, sign in there and compare " +
    "the code; then this command goes on by itself. From then on tickets come from that server, for you and for the " +
    "assistants that you start. What is kept is in ~/.forge/config.json, for your eyes only.",
  examples: [
    ["forge login --url https://forge.example.com", "Sign in to your team's server."],
    ["forge login --no-browser", "Only print the address, as over SSH; the server is the one in FORGE_API_URL."],
  ],
  options: {
    url: { type: "string", value: "URL", help: "The server, instead of the one in FORGE_API_URL." },
    "no-browser": { type: "boolean", help: "Do not open a browser, only print the address." },
  },
  settings: [...serverSettings, "appUrl"],
  group: "server",
  async run(app: App, { options }, out) {
    app.failOnSignals();
    const desk = await app.access();
    const already = await desk.signedIn();
    if (already) throw signedInAlready(already);
    const pending = await desk.beginLogin(options.url, out.signal);
    const wasOpened =
      options["no-browser"] !== true && out.width !== undefined && (await app.openBrowser(pending.completeUri));
    out.note(invitation(pending, wasOpened, out));
    try {
      const signedIn = await pending.decided(out.signal, (left) =>
        out.progress(`Waiting for you to approve, ${clock(left)} left`),
      );
      out.data(
        signedIn,
        ({ server, email }) => `${out.style.green("Signed in")} to ${plain(server)} as ${plain(email)}.`,
      );
    } finally {
      out.progress(undefined);
    }
    return 0;
  },
});

function invitation(
  { verificationUri, completeUri, userCode }: PendingLogin,
  wasOpened: boolean,
  { style }: Output,
): string {
  return [
    wasOpened ? "Your browser shows this page; if it does not, open it:" : "Open this page in a browser:",
    `  ${style.cyan(plain(completeUri))}`,
    `or type the code at ${plain(verificationUri)}. Approve only if the page shows the same code:`,
    `  ${style.bold(plain(userCode))}`,
  ].join("\n");
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function signedInAlready({ server, email }: SignedInHere): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `You are signed in to ${server} already, as ${email}.`, {
    details: { server, email },
    suggestions: [
      "Run `forge logout` first to sign in anew or elsewhere.",
      "`forge whoami` asks the server who you are.",
    ],
  });
}
