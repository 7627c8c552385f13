import type { Context } from "hono";
import type { Team } from "../../../commons/people.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/visible.ts";
import type { BrowserSession, PendingDevice } from "../../../rooms/access/model/model.ts";
import { alertBox, choice, field, hidden, type Page } from "./layout.ts";
import { html, type Markup } from "./markup.ts";
import { type PageServer, wordsOf } from "./page-server.ts";
import { codeIn } from "./user-code.ts";

export function serveDevice(pages: PageServer): void {
  const showEntry = (context: Context, typed: string, problem?: ForgeError) =>
    pages.show(context, entryPage(typed, problem), problem);

  pages.serve("GET", "/device", async (context) => {
    const typed = context.req.query("code") ?? "";
    const code = codeIn(typed);
    const session = await pages.session(context);
    if (!session) return pages.goTo(context, code === "" ? "/signin" : `/signin?device=${code}`);
    if (typed === "") return showEntry(context, "");
    try {
      const device = code === "" ? undefined : await pages.access.devices.pending(code, pages.origin(context));
      if (!device) throw nothingWaits();
      const teams = await pages.access.sessions.teams(session.cookie);
      return pages.show(context, approvalPage(code, device, teams, session));
    } catch (error) {
      return showEntry(context, typed.slice(0, 40), pages.requireForgeError(error));
    }
  });

  pages.serve("POST", "/device", async (context) => {
    const session = await pages.session(context);
    if (!session) return pages.goTo(context, "/signin");
    const form = await pages.readForm(context);
    const code = codeIn(form.get("code"));
    const decision = form.get("decision") === "approve" ? "approve" : "deny";
    try {
      form.requireToken(session.csrf);
      const team = form.get("team");
      if (decision === "approve" && team === "") throw noTeam();
      await pages.access.devices.decide(session.cookie, code, decision, pages.origin(context), team);
    } catch (error) {
      return showEntry(context, code, pages.requireForgeError(error));
    }
    return pages.show(context, donePage(decision));
  });
}

function nothingWaits(): ForgeError {
  return new ForgeError("NOT_FOUND", "No device waits with this code.", {
    next: [
      "Codes last five minutes and are good for one use: compare it with your terminal, or run `forge login` again.",
    ],
  });
}

function noTeam(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "It was not said for which of your teams.", {
    next: ["Continue with the code, and choose the team."],
  });
}

function entryPage(typed: string, problem: ForgeError | undefined): Page {
  return {
    title: "Connect a device",
    body: html`${alertBox(problem && wordsOf(problem))}
<form method="get" action="/device">
${field({ name: "code", label: "Code", value: typed, hint: "As your own terminal shows it, like ABCD-2345.", autocomplete: "off" })}
<button>Continue</button>
</form>`,
  };
}

function approvalPage(
  code: string,
  device: PendingDevice,
  teams: readonly Team[],
  { user, csrf }: BrowserSession,
): Page {
  return {
    title: "Is this your device?",
    body: html`<p>A program asks to work in your name, ${visible(user.displayName)} (${visible(user.email)}).</p>
<dl>
<dt>Code, the same as in your terminal</dt><dd class="code">${code}</dd>
<dt>Program</dt><dd>${visible(device.client)}</dd>
<dt>From the address</dt><dd>${visible(device.address)}</dd>
<dt>Asked at</dt><dd><time datetime="${device.requestedAt}">${moment(device.requestedAt)}</time></dd>
<dt>It could</dt><dd>${device.scopes.map(visible).join(", ")}</dd>
</dl>
<p class="warning"><strong>Did somebody send you this code or this link?</strong> Then deny: whoever sent it would get in as you. Approve only
what you have started yourself, just now.</p>
<form method="post" action="/device">
${hidden("csrf", csrf)}${hidden("code", code)}
${teamField(teams, device.team)}
<button name="decision" value="approve">Approve</button>
<button class="second" name="decision" value="deny">Deny</button>
</form>`,
  };
}

/** Which team it is for: the only one, or the person's choice, where the device may have asked for one. */
function teamField(teams: readonly Team[], asked: string | undefined): Markup {
  const [first] = teams;
  const wished = asked === undefined ? first : teams.find(({ slug }) => slug === asked);
  const unknown =
    asked !== undefined &&
    !wished &&
    html`<p class="warning">It asks for a team <strong>${visible(asked)}</strong>, which is none of yours.</p>`;
  const options = teams.map(({ id, name, slug }) => ({ value: id, text: `${name} (${slug})` }));
  if (teams.length > 1 || unknown)
    return html`${unknown}${choice({ name: "team", label: "Team", options, chosen: wished?.id ?? "" })}
<p>It works in this team unless it names another: it may do the same in each team that you are in, as far as your role there goes.</p>`;
  return html`<p>In your team ${visible(first?.name ?? "")}, and in any other that you join, as far as your role there goes.</p>
${hidden("team", first?.id ?? "")}`;
}

function donePage(decision: "approve" | "deny"): Page {
  return decision === "approve"
    ? { title: "The device is connected", body: html`<p>Go back to your terminal. You can close this page.</p>` }
    : {
        title: "The device was denied",
        body: html`<p>It gets nothing. If you did not start it yourself, somebody may have tried to get in as you: tell an admin of your team.</p>`,
      };
}

/** In UTC and said so: the server does not know where the person is. */
function moment(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "unknown" : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
