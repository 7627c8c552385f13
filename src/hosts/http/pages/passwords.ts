import type { Context } from "hono";
import type { User } from "../../../commons/people.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/text/visible.ts";
import type { Form } from "./form.ts";
import { alertBox, field, hiddenInput, type Page } from "./layout.ts";
import { html } from "./markup.ts";
import type { PageServer } from "./page-server.ts";

const rules = "At least 8 characters.";

/** Setting a new password: with a link from an admin, or with the current password. */
export function servePasswords(pages: PageServer): void {
  serveReset(pages);
  serveChange(pages);
}

function serveReset(pages: PageServer): void {
  const show = (context: Context, code: string, user: User, problem?: ForgeError) =>
    pages.show(context, resetPage(code, user, pages.visitToken(context), pages.explain(problem)), problem);

  pages.serve("GET", "/reset", async (context) => {
    const code = context.req.query("code") ?? "";
    return show(context, code, await userFor(pages, code));
  });

  pages.serve("POST", "/reset", async (context) => {
    const form = await pages.readForm(context);
    const code = form.get("code");
    const user = await userFor(pages, code);
    try {
      form.requireToken(pages.visitToken(context));
      requireTwice(form);
      await pages.access.recovery.reset(code, form.get("password"), pages.origin(context));
    } catch (error) {
      return show(context, code, user, pages.requireForgeError(error));
    }
    pages.dropSession(context);
    return pages.show(context, resetDonePage());
  });
}

function serveChange(pages: PageServer): void {
  pages.serve("GET", "/password", async (context) => {
    const session = await pages.session(context);
    return session ? pages.show(context, changePage(session.user, session.csrf)) : pages.redirect(context, "/signin");
  });

  pages.serve("POST", "/password", async (context) => {
    const session = await pages.session(context);
    if (!session) return pages.redirect(context, "/signin");
    const form = await pages.readForm(context);
    try {
      form.requireToken(session.csrf);
      requireTwice(form);
      await pages.access.recovery.change(session.cookie, form.get("old"), form.get("password"), pages.origin(context));
    } catch (error) {
      const problem = pages.requireForgeError(error);
      return pages.show(context, changePage(session.user, session.csrf, pages.explain(problem)), problem);
    }
    return pages.show(context, changedPage());
  });
}

async function userFor(pages: PageServer, code: string): Promise<User> {
  const user = code === "" ? undefined : await pages.access.recovery.userOf(code);
  if (user) return user;
  throw new ForgeError("NOT_FOUND", "This password link was already used or replaced, or it has expired.", {
    next: ["Ask an admin of your team for a new one."],
  });
}

/** A mistyped password cannot be seen, and would lock the user out. */
function requireTwice(form: Form): void {
  if (form.get("password") === form.get("again")) return;
  throw new ForgeError("VALIDATION_ERROR", "The two passwords do not match.", {
    next: ["Enter the new password twice."],
  });
}

function newPasswordFields() {
  return html`${field({ name: "password", label: "New password", type: "password", hint: rules, autocomplete: "new-password" })}
${field({ name: "again", label: "Repeat new password", type: "password", autocomplete: "new-password" })}`;
}

function resetPage(code: string, { email }: User, csrf: string, problem: string | undefined): Page {
  return {
    title: "Set a new password",
    body: html`${alertBox(problem)}
<p>For ${visible(email)}. All your browsers, devices and tokens will be signed out, and invitations and password links that you created will stop working.</p>
<form method="post" action="/reset">
${hiddenInput("csrf", csrf)}${hiddenInput("code", code)}
${newPasswordFields()}
<button>Set password</button>
</form>`,
  };
}

function resetDonePage(): Page {
  return {
    title: "Password set",
    body: html`<p>Sign in with your new password. On your laptop, run <code>forge login</code>.</p>
<p><a class="button" href="/signin">Sign in</a></p>`,
  };
}

function changePage({ email }: User, csrf: string, problem?: string): Page {
  return {
    title: "Change your password",
    body: html`${alertBox(problem)}
<p>For ${visible(email)}. Your other browsers will be signed out. Devices and tokens stay signed in; <code>forge token list</code> shows them.</p>
<form method="post" action="/password">
${hiddenInput("csrf", csrf)}
${field({ name: "old", label: "Current password", type: "password", autocomplete: "current-password" })}
${newPasswordFields()}
<button>Change password</button>
</form>
<p><a href="/">Cancel</a></p>`,
  };
}

function changedPage(): Page {
  return {
    title: "Password changed",
    body: html`<p>Your other browsers are signed out.</p><p><a href="/">Back to the start page</a></p>`,
  };
}
