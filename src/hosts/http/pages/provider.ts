import { ForgeError } from "../../../kernel/errors.ts";
import type { PageServer } from "./page-server.ts";
import { afterSignIn } from "./sign-in.ts";
import { deviceIn } from "./user-code.ts";

const attemptCookie = "forge_attempt";
const attemptSeconds = 600;
/** Between the provider's part of the cookie and the code of a device that waits. */
const separator = "~";

export const providerCallback = "/signin/provider/callback";

/** The way to an OpenID provider and back. What must not be forged on it stays in a cookie meanwhile. */
export function serveProvider(pages: PageServer): void {
  const { provider } = pages;
  if (!provider) return;

  pages.serve("GET", "/signin/provider", async (context) => {
    const { url, attempt } = await provider.begin();
    const code = deviceIn(context.req.query("device"));
    pages.cookies.write(context, attemptCookie, `${attempt}${separator}${code}`, attemptSeconds);
    return pages.redirect(context, url);
  });

  pages.serve("GET", providerCallback, async (context) => {
    const [attempt = "", code] = (pages.cookies.read(context, attemptCookie) ?? "").split(separator);
    pages.cookies.remove(context, attemptCookie);
    if (attempt === "") throw notBegun();
    const identity = await provider.finish(new URL(context.req.url).searchParams, attempt);
    pages.keepSession(context, await pages.access.signIn.withIdentity(identity, pages.origin(context)));
    return pages.redirect(context, afterSignIn(deviceIn(code)));
  });
}

function notBegun(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This sign-in was not started in this browser, or it has expired.", {
    next: ["Sign in again from the start page."],
  });
}
