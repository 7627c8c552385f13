import { expect, test } from "vitest";
import { followRedirects } from "./redirects.ts";
import type { Hop } from "./types.ts";

const lan = "https://lan.test";

/** Follows one redirect from one origin to another, both described without a network; returns the second hop. */
async function redirected(from: { mayBePrivate: boolean }, to: string): Promise<Hop> {
  const first: Hop = { method: "GET", url: new URL("https://first.test/"), headers: {}, body: undefined, ...from };
  let sent = 0;
  const { hop } = await followRedirects(first, new Set([lan, first.url.origin]), async () => ({
    status: sent++ === 0 ? 302 : 200,
    headers: sent === 1 ? { location: to } : {},
    discard: () => undefined,
  }));
  return hop;
}

test("K27 a private origin of the configuration is reached from another such origin, not from the internet", async () => {
  expect((await redirected({ mayBePrivate: true }, `${lan}/x`)).mayBePrivate).toBe(true);
  expect((await redirected({ mayBePrivate: false }, `${lan}/x`)).mayBePrivate).toBe(false);
  expect((await redirected({ mayBePrivate: true }, "https://elsewhere.test/")).mayBePrivate).toBe(false);
  expect((await redirected({ mayBePrivate: false }, "/same-origin")).mayBePrivate).toBe(false);
});
