import type { Context } from "hono";
import type { ForgeError } from "../../../kernel/errors.ts";
import { boardPageIn } from "./board-page.ts";
import { alertBox, field, hiddenInput, type Page } from "./layout.ts";
import { html } from "./markup.ts";
import type { PageServer } from "./page-server.ts";
import { deviceIn, enterCode } from "./user-code.ts";

/** What the sign-in is for: the code of a device that waits, or a page of the board. */
type Purpose = { code: string; to: string };
type Shown = Purpose & { email: string; csrf: string; provider: string | undefined };

export function serveSignIn(pages: PageServer): void {
  const show = (context: Context, shown: Purpose & { email?: string }, problem?: ForgeError) => {
    const { email = "", ...purpose } = shown;
    const facts = { email, ...purpose, csrf: pages.visitToken(context), provider: pages.provider?.name };
    return pages.show(context, signInPage(facts, pages.explain(problem)), problem);
  };

  pages.serve("GET", "/signin", async (context) => {
    const purpose = { code: deviceIn(context.req.query("device")), to: boardPageIn(context.req.query("to")) };
    if (await pages.session(context)) return pages.redirect(context, afterSignIn(purpose));
    return show(context, purpose);
  });

  pages.serve("POST", "/signin", async (context) => {
    const form = await pages.readForm(context);
    const email = form.get("email");
    const purpose = { code: deviceIn(form.get("device")), to: boardPageIn(form.get("to")) };
    try {
      form.requireToken(pages.visitToken(context));
      pages.keepSession(
        context,
        await pages.access.signIn.withPassword(email, form.get("password"), pages.origin(context)),
      );
    } catch (error) {
      return show(context, { email, ...purpose }, pages.requireForgeError(error));
    }
    return pages.redirect(context, afterSignIn(purpose));
  });

  pages.serve("GET", "/signout", async (context) => {
    const session = await pages.session(context);
    return session ? pages.show(context, signOutPage(session.csrf)) : pages.redirect(context, "/signin");
  });

  pages.serve("POST", "/signout", async (context) => {
    const session = await pages.session(context);
    if (session) {
      (await pages.readForm(context)).requireToken(session.csrf);
      await pages.access.sessions.close(session.cookie);
      pages.dropSession(context);
    }
    return pages.redirect(context, "/signin");
  });
}

/** Where the user goes after signing in: to the device that waits for them, the page they came from, or the start page. */
export function afterSignIn({ code, to }: Purpose): string {
  if (code === enterCode) return "/device";
  if (code !== "") return `/device?code=${encodeURIComponent(code)}`;
  return to === "" ? "/" : to;
}

function providerPath({ code, to }: Purpose): string {
  const query = new URLSearchParams({ ...(code !== "" && { device: code }), ...(to !== "" && { to }) });
  return query.size === 0 ? "/signin/provider" : `/signin/provider?${query}`;
}

function signInPage({ email, code, to, csrf, provider }: Shown, problem: string | undefined): Page {
  return {
    title: "Sign in",
    body: html`${alertBox(problem)}
<form method="post" action="/signin">
${hiddenInput("csrf", csrf)}${hiddenInput("device", code)}${hiddenInput("to", to)}
${field({ name: "email", label: "Email", type: "email", value: email, autocomplete: "username" })}
${field({ name: "password", label: "Password", type: "password", autocomplete: "current-password" })}
<button>Sign in</button>
</form>
${
  provider !== undefined &&
  html`<p><a class="button second" href="${providerPath({ code, to })}">Sign in with ${provider}</a></p>`
}
<p><small>No account? Ask an admin of your team for an invitation. Forgot your password? Ask them for a link to set a new one.</small></p>`,
  };
}

function signOutPage(csrf: string): Page {
  return {
    title: "Sign out",
    body: html`<p>This signs out this browser. Devices stay signed in; run <code>forge logout</code> there to sign out.</p>
<form method="post" action="/signout">${hiddenInput("csrf", csrf)}<button>Sign out</button></form>
<p><a href="/">Cancel</a></p>`,
  };
}
