import type { Context } from "hono";
import type { User } from "../../../commons/people.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { visible } from "../../../kernel/visible.ts";
import type { Form } from "./form.ts";
import { alertBox, field, hidden, type Page } from "./layout.ts";
import { html } from "./markup.ts";
import { type PageServer, wordsOf } from "./page-server.ts";

const rules = "At least 8 characters.";

/** A new password: by the link of an admin, or with the old one. */
export function servePasswords(pages: PageServer): void {
  serveReset(pages);
  serveChange(pages);
}

function serveReset(pages: PageServer): void {
  const show = (context: Context, code: string, user: User, problem?: ForgeError) =>
    pages.show(context, resetPage(code, user, pages.visitToken(context), problem), problem);

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
    return session ? pages.show(context, changePage(session.user, session.csrf)) : pages.goTo(context, "/signin");
  });

  pages.serve("POST", "/password", async (context) => {
    const session = await pages.session(context);
    if (!session) return pages.goTo(context, "/signin");
    const form = await pages.readForm(context);
    try {
      form.requireToken(session.csrf);
      requireTwice(form);
      await pages.access.recovery.change(session.cookie, form.get("old"), form.get("password"), pages.origin(context));
    } catch (error) {
      const problem = pages.requireForgeError(error);
      return pages.show(context, changePage(session.user, session.csrf, problem), problem);
    }
    return pages.show(context, changedPage());
  });
}

async function userFor(pages: PageServer, code: string): Promise<User> {
  const user = code === "" ? undefined : await pages.access.recovery.userOf(code);
  if (user) return user;
  throw new ForgeError("NOT_FOUND", "This link for a new password was used or replaced, or has expired.", {
    next: ["Ask an admin of your team for another."],
  });
}

/** Nobody sees what they type, and who mistypes it here would be locked out. */
function requireTwice(form: Form): void {
  if (form.get("password") === form.get("again")) return;
  throw new ForgeError("VALIDATION_ERROR", "The two new passwords are not the same.", {
    next: ["Type the new one twice."],
  });
}

function newPasswordFields() {
  return html`${field({ name: "password", label: "New password", type: "password", hint: rules, autocomplete: "new-password" })}
${field({ name: "again", label: "New password again", type: "password", autocomplete: "new-password" })}`;
}

function resetPage(code: string, { email }: User, csrf: string, problem: ForgeError | undefined): Page {
  return {
    title: "Set a new password",
    body: html`${alertBox(problem && wordsOf(problem))}
<p>For ${visible(email)}. Every browser, device and token of yours is signed out by it.</p>
<form method="post" action="/reset">
${hidden("csrf", csrf)}${hidden("code", code)}
${newPasswordFields()}
<button>Set it</button>
</form>`,
  };
}

function resetDonePage(): Page {
  return {
    title: "The new password is set",
    body: html`<p>Sign in with it, and on your laptop with <code>forge login</code>.</p>
<p><a class="button" href="/signin">Sign in</a></p>`,
  };
}

function changePage({ email }: User, csrf: string, problem?: ForgeError): Page {
  return {
    title: "Change your password",
    body: html`${alertBox(problem && wordsOf(problem))}
<p>For ${visible(email)}. Your other browsers are signed out by it; devices and tokens stay: <code>forge token list</code> shows them.</p>
<form method="post" action="/password">
${hidden("csrf", csrf)}
${field({ name: "old", label: "Password until now", type: "password", autocomplete: "current-password" })}
${newPasswordFields()}
<button>Change it</button>
</form>
<p><a href="/">Keep it</a></p>`,
  };
}

function changedPage(): Page {
  return {
    title: "Your password is changed",
    body: html`<p>Your other browsers are signed out.</p><p><a href="/">To the start page</a></p>`,
  };
}
