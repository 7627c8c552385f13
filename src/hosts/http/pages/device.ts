import type { Context } from "hono";
import type { Role, Team } from "../../../commons/people.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/text/visible.ts";
import type { CodeSource } from "../../../rooms/access/identity/lockouts.ts";
import type { BrowserSession, PendingDevice } from "../../../rooms/access/model/model.ts";
import { scopesOfRole } from "../../../rooms/access/model/roles.ts";
import { alertBox, choice, field, hiddenInput, type Page } from "./layout.ts";
import { html, type Markup } from "./markup.ts";
import type { PageServer } from "./page-server.ts";
import { codeIn, enterCode } from "./user-code.ts";

type OwnTeam = Team & { role: Role };

export function serveDevice(pages: PageServer): void {
  type Session = NonNullable<Awaited<ReturnType<PageServer["session"]>>>;

  const showEntry = (context: Context, typed: string, { csrf }: Session, problem?: ForgeError) =>
    pages.show(context, entryPage(typed, csrf, pages.explain(problem)), problem);

  async function showDevice(context: Context, code: string, session: Session, source: CodeSource): Promise<Response> {
    const device = code === "" ? undefined : await pages.access.devices.findPending(code, session.cookie, source);
    if (!device) throw nothingWaits();
    const teams = await pages.access.sessions.teams(session.cookie);
    return pages.show(context, approvalPage(code, device, teams, session));
  }

  pages.serve("GET", "/device", async (context) => {
    const typed = context.req.query("code") ?? "";
    const code = codeIn(typed);
    const session = await pages.session(context);
    if (!session) return pages.redirect(context, `/signin?device=${code === "" ? enterCode : code}`);
    if (typed === "") return showEntry(context, "", session);
    try {
      return await showDevice(context, code, session, "link");
    } catch (error) {
      const problem = pages.requireForgeError(error);
      const isLocked = problem.details?.["retryAfterSeconds"] !== undefined;
      return showEntry(context, typed.slice(0, 40), session, isLocked ? tooManyLinks() : problem);
    }
  });

  pages.serve("POST", "/device", async (context) => {
    const session = await pages.session(context);
    if (!session) return pages.redirect(context, `/signin?device=${enterCode}`);
    const form = await pages.readForm(context);
    const typed = form.get("code");
    const code = codeIn(typed);
    try {
      form.requireToken(session.csrf);
      if (form.get("decision") === "look") return await showDevice(context, code, session, "typed");
      const decision = form.get("decision") === "approve" ? "approve" : "deny";
      const team = form.get("team");
      if (decision === "approve" && team === "") throw noTeam();
      await pages.access.devices.decide(session.cookie, code, decision, pages.origin(context), team);
      return pages.show(context, donePage(decision));
    } catch (error) {
      return showEntry(context, typed.slice(0, 40), session, pages.requireForgeError(error));
    }
  });
}

/** Any site can make a browser open links: they must not keep the person from using a code of their own. */
function tooManyLinks(): ForgeError {
  return new ForgeError("AUTH_FAILED", "Too many links with wrong codes were opened.", {
    next: ["Compare the code with the one in your terminal, and continue only if it is the same."],
  });
}

function nothingWaits(): ForgeError {
  return new ForgeError("NOT_FOUND", "No device is waiting with this code.", {
    next: [
      "Codes work once, within five minutes. Compare it with the code in your terminal.",
      { command: "login", why: "to get a new code" },
    ],
  });
}

function noTeam(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Choose a team first.", {
    next: ["Continue with the code, then choose the team."],
  });
}

function entryPage(typed: string, csrf: string, problem: string | undefined): Page {
  return {
    title: "Connect a device",
    body: html`${alertBox(problem)}
<form method="post" action="/device">
${hiddenInput("csrf", csrf)}${hiddenInput("decision", "look")}
${field({ name: "code", label: "Code", value: typed, hint: "As shown in your terminal, like ABCD-2345.", autocomplete: "off" })}
<button>Continue</button>
</form>`,
  };
}

function approvalPage(
  code: string,
  device: PendingDevice,
  teams: readonly OwnTeam[],
  { user, csrf }: BrowserSession,
): Page {
  return {
    title: "Authorize this device?",
    body: html`<p>Authorize this device to use your account, ${visible(user.displayName)} (${visible(user.email)})?</p>
<dl>
<dt>Code (must match your terminal)</dt><dd class="code">${code}</dd>
<dt>Program</dt><dd>${visible(device.client)}</dd>
<dt>IP address</dt><dd>${visible(device.address)}</dd>
<dt>Requested at</dt><dd><time datetime="${device.requestedAt}">${moment(device.requestedAt)}</time></dd>
<dt>Permissions</dt><dd>${permissionsIn(teams).join(", ")}</dd>
</dl>
<p class="warning"><strong>Did somebody send you this code or link?</strong> Deny it: they would get access to your account. Approve only what
you have just started yourself.</p>
<form method="post" action="/device">
${hiddenInput("csrf", csrf)}${hiddenInput("code", code)}
${teamField(teams, device.team)}
<button name="decision" value="approve">Approve</button>
<button class="second" name="decision" value="deny">Deny</button>
</form>`,
  };
}

/** What the user's roles allow: nobody can grant more than they have. */
function permissionsIn(teams: readonly OwnTeam[]): string[] {
  return [...new Set(teams.flatMap(({ role }) => scopesOfRole(role)))];
}

/** The team it is for: the only one, or the user's choice; the device may have asked for one. */
function teamField(teams: readonly Team[], asked: string | undefined): Markup {
  const [first] = teams;
  const wished = asked === undefined ? first : teams.find(({ slug }) => slug === asked);
  const unknown =
    asked !== undefined &&
    !wished &&
    html`<p class="warning">The device asks for the team <strong>${visible(asked)}</strong>, which you are not in.</p>`;
  const options = teams.map(({ id, name, slug }) => ({ value: id, text: `${name} (${slug})` }));
  if (teams.length > 1 || unknown)
    return html`${unknown}${choice({ name: "team", label: "Team", options, chosen: wished?.id ?? "" })}
<p>The device works in this team by default. It can also work in your other teams, with your role there.</p>`;
  return html`<p>For your team ${visible(first?.name ?? "")}, and for teams that you join later, with your role there.</p>
${hiddenInput("team", first?.id ?? "")}`;
}

function donePage(decision: "approve" | "deny"): Page {
  return decision === "approve"
    ? { title: "Device connected", body: html`<p>Go back to your terminal. You can close this page.</p>` }
    : {
        title: "Device denied",
        body: html`<p>It has no access. If you did not start it yourself, somebody may have tried to get into your account: tell an admin of your team.</p>`,
      };
}

/** In UTC: the server does not know the user's time zone. */
function moment(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? "unknown" : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
