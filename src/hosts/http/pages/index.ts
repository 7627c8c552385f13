import type { Hono } from "hono";
import { PageDesk, type PagesOptions } from "./desk.ts";
import { serveDevice } from "./device.ts";
import { serveHome } from "./home.ts";
import { serveJoining } from "./joining.ts";
import { servePasswords } from "./passwords.ts";
import { serveProvider } from "./provider.ts";
import { serveSignIn } from "./sign-in.ts";

export type { PagesOptions, SignInProvider } from "./desk.ts";
export { providerCallback } from "./provider.ts";

/** The pages that people sign in, join and approve devices on: HTML and forms, and nothing that runs in the browser. */
export function servePages(app: Hono, options: PagesOptions): void {
  const desk = new PageDesk(app, options);
  serveHome(desk);
  serveSignIn(desk);
  serveProvider(desk);
  serveDevice(desk);
  serveJoining(desk);
  servePasswords(desk);
}
