import type { Hono } from "hono";
import { serveDevice } from "./device.ts";
import { serveHome } from "./home.ts";
import { serveJoining } from "./joining.ts";
import { PageServer, type PagesOptions } from "./page-server.ts";
import { servePasswords } from "./passwords.ts";
import { serveProvider } from "./provider.ts";
import { serveSignIn } from "./sign-in.ts";

export type { PagesOptions, SignInProvider } from "./page-server.ts";
export { providerCallback } from "./provider.ts";

/** The pages that people sign in, join and approve devices on: HTML and forms, and nothing that runs in the browser. */
export function servePages(app: Hono, options: PagesOptions): void {
  const pages = new PageServer(app, options);
  serveHome(pages);
  serveSignIn(pages);
  serveProvider(pages);
  serveDevice(pages);
  serveJoining(pages);
  servePasswords(pages);
}
