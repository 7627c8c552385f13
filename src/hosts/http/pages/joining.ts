import type { Context } from "hono";
import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/text/visible.ts";
import type { Access } from "../../../rooms/access/service/access.ts";
import type { Form } from "./form.ts";
import { alertBox, field, hiddenInput, type Page } from "./layout.ts";
import { html, type Markup } from "./markup.ts";
import type { PageServer } from "./page-server.ts";

type Entered = { code: string; email: string; name: string; team: string };
type Invitation = NonNullable<Awaited<ReturnType<Access["invitations"]["get"]>>>;

/** The two ways to get an account: as the first admin, and by invitation. */
export function serveJoining(pages: PageServer): void {
  serveSetup(pages);
  serveInvitation(pages);
}

function serveSetup(pages: PageServer): void {
  const show = (context: Context, entered: Entered, problem?: ForgeError) =>
    pages.show(context, setupPage(entered, pages.visitToken(context), pages.explain(problem)), problem);

  pages.serve("GET", "/setup", async (context) => {
    const code = context.req.query("code") ?? "";
    if (code === "") throw noCode("Open the setup link that the server printed when it started; it contains a code.");
    // Before the form is filled in for nothing.
    await pages.access.registration.requireUnused();
    return show(context, { code, email: "", name: "", team: "" });
  });

  pages.serve("POST", "/setup", async (context) => {
    const form = await pages.readForm(context);
    const entered = readEntered(form);
    try {
      form.requireToken(pages.visitToken(context));
      await pages.access.registration.setUp(entered.code, personIn(form), entered.team, pages.origin(context));
      await signIn(pages, context, form);
    } catch (error) {
      return show(context, entered, pages.requireForgeError(error));
    }
    return pages.redirect(context, "/");
  });
}

function serveInvitation(pages: PageServer): void {
  const show = (context: Context, entered: Entered, invitation: Invitation, problem?: ForgeError) => {
    const page = invitationPage(entered, invitation, {
      csrf: pages.visitToken(context),
      provider: pages.provider?.name,
    });
    return pages.show(context, page(pages.explain(problem)), problem);
  };

  pages.serve("GET", "/invite", async (context) => {
    const code = context.req.query("code") ?? "";
    const invitation = await invitationFor(pages, code);
    return show(context, { code, email: invitation.email ?? "", name: "", team: "" }, invitation);
  });

  pages.serve("POST", "/invite", async (context) => {
    const form = await pages.readForm(context);
    const entered = readEntered(form);
    const invitation = await invitationFor(pages, entered.code);
    try {
      form.requireToken(pages.visitToken(context));
      await pages.access.registration.accept(entered.code, personIn(form), pages.origin(context));
      await signIn(pages, context, form);
    } catch (error) {
      return show(context, entered, invitation, pages.requireForgeError(error));
    }
    return pages.redirect(context, "/");
  });
}

async function signIn(pages: PageServer, context: Context, form: Form): Promise<void> {
  const session = await pages.access.signIn.withPassword(
    form.get("email"),
    form.get("password"),
    pages.origin(context),
  );
  pages.keepSession(context, session);
}

async function invitationFor(pages: PageServer, code: string): Promise<Invitation> {
  const invitation = code === "" ? undefined : await pages.access.invitations.get(code);
  if (invitation) return invitation;
  throw noCode(
    "This invitation was already used or withdrawn, or it has expired. Ask an admin of the team for a new one.",
  );
}

function noCode(message: string): ForgeError {
  return new ForgeError("NOT_FOUND", message);
}

function readEntered(form: Form): Entered {
  return { code: form.get("code"), email: form.get("email"), name: form.get("name"), team: form.get("team") };
}

function personIn(form: Form) {
  return { email: form.get("email"), displayName: form.get("name"), password: form.get("password") };
}

function setupPage(entered: Entered, csrf: string, problem: string | undefined): Page {
  return {
    title: "Set up this server",
    body: html`${alertBox(problem)}
<p>You will be the first admin of this server and your team. You can invite others afterwards.</p>
<form method="post" action="/setup">
${hiddenInput("csrf", csrf)}${hiddenInput("code", entered.code)}
${personFields(entered, "new-password", "At least 8 characters.")}
${field({ name: "team", label: "Team name", value: entered.team, autocomplete: "organization" })}
<button>Set up</button>
</form>`,
  };
}

function invitationPage(
  entered: Entered,
  { team, role, email }: Invitation,
  { csrf, provider }: { csrf: string; provider: string | undefined },
): (problem: string | undefined) => Page {
  return (problem) => ({
    title: `Join ${visible(team.name)}`,
    body: html`${alertBox(problem)}
<p>You are invited as ${role === "admin" ? "an" : "a"} ${role}.</p>
<form method="post" action="/invite">
${hiddenInput("csrf", csrf)}${hiddenInput("code", entered.code)}
${personFields(entered, "new-password", "At least 8 characters. If you already have an account here, use its password.", email !== undefined)}
<button>Join</button>
</form>
${
  provider !== undefined &&
  email !== undefined &&
  html`<p><a class="button second" href="/signin/provider?${new URLSearchParams({ invitation: entered.code, csrf }).toString()}">Join with ${provider}, as ${visible(email)}</a></p>`
}`,
  });
}

function personFields({ email, name }: Entered, passwords: string, hint: string, isInvited = false): Markup {
  return html`${field({ name: "email", label: "Email", type: "email", value: email, autocomplete: "username", readonly: isInvited })}
${field({ name: "name", label: "Your name", value: name, autocomplete: "name" })}
${field({ name: "password", label: "Password", type: "password", hint, autocomplete: passwords })}`;
}
