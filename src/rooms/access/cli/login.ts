import type { App } from "../../../commons/cli/app.ts";
import { defineCommand, type Output } from "../../../kernel/definitions/command.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { PendingLogin } from "../remote/login-session.ts";
import type { AccessServices } from "../services.ts";
import { linkProject } from "./link.ts";
import { serverSettings } from "./server-settings.ts";

export const login = defineCommand({
  name: "login",
  summary: "Sign in to a Forge server",
  details:
    "Shows an address and a code. Open the address in any browser, on this machine or another, sign in and compare the code; " +
    "this command then finishes by itself. In a project that is linked to the server, tickets then come from there, for you " +
    "and for the assistants that you start; on a terminal it asks whether to link the project you are in. The sign-in is saved in ~/.forge/config.json, which only you can read.\n\nA sign-in that its server no longer " +
    "accepts is replaced. One that is still valid is kept, unless you give --replace.",
  examples: [
    ["forge login --url https://forge.example.com", "Sign in to your team's server."],
    ["forge login --url https://forge.example.com --team engines", "Choose one of your teams."],
    ["forge login --team wheels --replace", "Switch to another team on the same server."],
    ["forge login --no-browser", "Only print the address, for example over SSH; the server is in FORGE_API_URL."],
  ],
  options: {
    url: {
      type: "string",
      value: "URL",
      help: "The server's address (default: FORGE_API_URL, or the server of your last sign-in).",
    },
    team: {
      type: "string",
      value: "SLUG",
      help: "The team to work in, if you have several; forge team list shows them.",
    },
    replace: { type: "boolean", help: "Replace your current sign-in, even if it is still valid." },
    link: { type: "boolean", help: "Link the project you are in, without asking." },
    "no-browser": { type: "boolean", help: "Do not open a browser; only print the address." },
  },
  settings: [...serverSettings, "appUrl"],
  group: "server",
  common: true,
  async run(app: App, { options }, out) {
    const { url, team, replace = false, link = false, "no-browser": noBrowser = false } = options;
    app.failOnSignals();
    const { login: session } = await app.room<AccessServices>("access");
    const asked = { url, team, replace, link };
    await app.tools.approve(
      "forge login",
      { title: "Sign in to a Forge server", input: asked, ofUser: true },
      out.signal,
    );
    const pending = await session.begin({ url, team, replace }, out.signal);
    const opens = !noBrowser && !pending.otherSite && out.width !== undefined;
    const wasOpened = opens && (await app.terminal.openBrowser(pending.completeUri));
    out.note(instructions(pending, wasOpened, out));
    try {
      const showWaiting = (left: number) => out.progress(`Waiting for you to approve, ${clock(left)} left`);
      const signedIn = await pending.waitForApproval(out.signal, showWaiting);
      out.data(
        signedIn,
        ({ server, email }) => `${out.style.green("Signed in")} to ${plain(server)} as ${plain(email)}.`,
      );
    } finally {
      out.progress(undefined);
    }
    const wanted = link ? { slug: undefined } : await askForLink(app, out);
    if (wanted) await linkProject(app, wanted.slug, out.json ? quietly(out) : out);
    else if (!session.isLinked()) out.note("Run `forge link` in a project to use your team's tickets there.");
    return 0;
  },
});

/** Signing in changes nothing in a project until its user says so. Returns the team to link it to. */
async function askForLink(app: App, out: Output): Promise<{ slug: string | undefined } | undefined> {
  const { login: session } = await app.room<AccessServices>("access");
  const { ask } = app.terminal;
  if (!ask || out.json || session.isLinked()) return undefined;
  const proposal = session.proposal();
  const isHere = proposal?.origin === (await session.readSaved())?.server;
  const slug = isHere ? proposal?.team : undefined;
  const whose = slug === undefined ? "the team's tickets" : `the tickets of team ${slug}, as the repository proposes,`;
  const answer = await ask(plain(`Use ${whose} in ${app.project.root}? [y/N] `), out.signal);
  return /^y(?:es)?$/i.test(answer?.trim() ?? "") ? { slug } : undefined;
}

/** The sign-in is the command's answer; a second one would not be JSON. */
function quietly(out: Output): Output {
  return { ...out, data: () => undefined };
}

function instructions(pending: PendingLogin, wasOpened: boolean, { style }: Output): string {
  const { verificationUri, completeUri, userCode, otherSite } = pending;
  const warning =
    otherSite &&
    `${otherSite.server} sends you to another site, ${otherSite.page}. Approve there only if it is the same server: otherwise ` +
      `${otherSite.server} would get access to your account on ${otherSite.page}.`;
  return [
    ...(warning === undefined ? [] : [style.yellow(plain(warning))]),
    wasOpened ? "Your browser should show this page. If not, open it:" : "Open this page in a browser:",
    `  ${style.cyan(plain(completeUri))}`,
    `or enter the code at ${plain(verificationUri)}. Approve only if the page shows the same code:`,
    `  ${style.bold(plain(userCode))}`,
  ].join("\n");
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
