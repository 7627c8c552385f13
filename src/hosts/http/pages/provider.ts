import { ForgeError } from "../../../kernel/errors.ts";
import type { PageDesk } from "./desk.ts";
import { afterSignIn } from "./sign-in.ts";
import { codeIn } from "./user-code.ts";

const attemptCookie = "forge_attempt";
const attemptSeconds = 600;
/** Between the provider's part of the cookie and the code of a device that waits. */
const separator = "~";

export const providerCallback = "/signin/provider/callback";

/** The way to an OpenID provider and back. What must not be forged on it stays in a cookie meanwhile. */
export function serveProvider(desk: PageDesk): void {
  const { provider } = desk;
  if (!provider) return;

  desk.serve("GET", "/signin/provider", async (context) => {
    const { url, attempt } = await provider.begin();
    const code = codeIn(context.req.query("device"));
    desk.cookies.write(context, attemptCookie, `${attempt}${separator}${code}`, attemptSeconds);
    return desk.goTo(context, url);
  });

  desk.serve("GET", providerCallback, async (context) => {
    const [attempt = "", code] = (desk.cookies.read(context, attemptCookie) ?? "").split(separator);
    desk.cookies.remove(context, attemptCookie);
    if (attempt === "") throw notBegun();
    const identity = await provider.finish(new URL(context.req.url).searchParams, attempt);
    desk.keepSession(context, await desk.access.signInWith(identity, desk.origin(context)));
    return desk.goTo(context, afterSignIn(codeIn(code)));
  });
}

function notBegun(): ForgeError {
  return new ForgeError("AUTH_FAILED", "This sign-in was not begun in this browser, or too long ago.", {
    next: ["Sign in again from the start page."],
  });
}
