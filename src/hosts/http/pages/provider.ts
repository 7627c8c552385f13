import { ForgeError } from "../../../kernel/errors.ts";
import { boardPageIn } from "./board-page.ts";
import { requireSameToken } from "./form.ts";
import type { PageServer } from "./page-server.ts";
import { afterSignIn } from "./sign-in.ts";
import { deviceIn } from "./user-code.ts";

const attemptCookie = "forge_attempt";
const attemptSeconds = 600;
/** Between the provider's part of the cookie, the code of a device that waits, the page to go back to, and an invitation. */
const separator = "~";

export const providerCallback = "/signin/provider/callback";

/** The way to an OpenID provider and back. What must not be forged on it stays in a cookie meanwhile. */
export function serveProvider(pages: PageServer): void {
  const { provider } = pages;
  if (!provider) return;

  pages.serve("GET", "/signin/provider", async (context) => {
    const invitation = context.req.query("invitation") ?? "";
    // Joining a team is something that another site must not have a visitor do.
    if (invitation !== "") requireSameToken(context.req.query("csrf") ?? "", pages.visitToken(context));
    const { url, attempt } = await provider.begin();
    const joined = /^[\w-]{0,60}$/.test(invitation) ? invitation : "";
    const purpose = [deviceIn(context.req.query("device")), boardPageIn(context.req.query("to")), joined];
    pages.cookies.write(context, attemptCookie, [attempt, ...purpose].join(separator), attemptSeconds);
    return pages.redirect(context, url);
  });

  pages.serve("GET", providerCallback, async (context) => {
    const [attempt = "", code, to, invitation] = (pages.cookies.read(context, attemptCookie) ?? "").split(separator);
    pages.cookies.remove(context, attemptCookie);
    if (attempt === "") throw notBegun();
    const identity = await provider.finish(new URL(context.req.url).searchParams, attempt);
    const session = await pages.access.signIn.withIdentity(identity, pages.origin(context), invitation);
    pages.keepSession(context, session);
    return pages.redirect(context, afterSignIn({ code: deviceIn(code), to: boardPageIn(to) }));
  });
}

function notBegun(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This sign-in was not started in this browser, or it has expired.", {
    next: ["Sign in again from the start page."],
  });
}
