import { createHash, randomBytes } from "node:crypto";
import type { Context, Hono } from "hono";
import type { Origin } from "../../../commons/people.ts";
import type { ActionFormatter } from "../../../kernel/action.ts";
import { bodyOf, ForgeError } from "../../../kernel/errors.ts";
import { siteOf } from "../../../rooms/access/identity/network.ts";
import type { BrowserSession } from "../../../rooms/access/model/model.ts";
import type { Access } from "../../../rooms/access/service/access.ts";
import { statusOf } from "../reply/http-error.ts";
import type { RateLimits } from "../request/rate-limits.ts";
import { isCutOff } from "../serve/disconnect.ts";
import { Cookies, sessionCookie } from "./cookies.ts";
import { Form } from "./form.ts";
import { alertBox, layout, type Page, pagePolicy } from "./layout.ts";
import { html } from "./markup.ts";

/** A provider that people may sign in with in place of a password. */
export type SignInProvider = {
  /** As people know it. */
  name: string;
  /** Where to send the browser, and what to keep in it until it is back. */
  begin(): Promise<{ url: string; attempt: string }>;
  /** The identity in what the browser came back with. */
  finish(query: URLSearchParams, attempt: string): Promise<Parameters<Access["signIn"]["withIdentity"]>[0]>;
};

export type PagesOptions = {
  access: Access;
  /** Where people reach the server; https makes cookies secure. Known once it listens. */
  publicUrl: () => string;
  provider: SignInProvider | undefined;
  /** Where a request comes from. */
  origin(context: Context): Origin;
  rates: RateLimits;
  /** How users are told what to do next. */
  word: ActionFormatter;
  log(message: string, fields: Record<string, unknown>): void;
  newId(): string;
};

type Handler = (context: Context) => Promise<Response>;

const visitCookie = "forge_visit";
const sessionSeconds = 7 * 86_400;
const visitSeconds = 86_400;

/** What all pages share: whose request it is, and how it is answered. */
export class PageServer {
  readonly access: Access;
  readonly provider: SignInProvider | undefined;
  readonly #app: Hono;
  readonly #options: PagesOptions;

  constructor(app: Hono, options: PagesOptions) {
    this.access = options.access;
    this.provider = options.provider;
    this.#app = app;
    this.#options = options;
  }

  get cookies(): Cookies {
    return new Cookies(this.#options.publicUrl().startsWith("https:"));
  }

  serve(method: "GET" | "POST", path: string, handler: Handler): void {
    this.#app.on(method, path, async (context) => {
      try {
        if (method === "POST" || context.req.query("code") !== undefined) this.#countAttempt(context);
        return await handler(context);
      } catch (error) {
        return this.#apologise(context, error);
      }
    });
  }

  origin(context: Context): Origin {
    return this.#options.origin(context);
  }

  show(context: Context, page: Page, problem?: ForgeError): Response {
    context.header("content-security-policy", pagePolicy);
    context.header("x-content-type-options", "nosniff");
    context.header("cache-control", "no-store");
    // Addresses of these pages hold codes.
    context.header("referrer-policy", "no-referrer");
    const seconds = problem?.details?.["retryAfterSeconds"];
    if (typeof seconds === "number") context.header("retry-after", String(seconds));
    if (problem) context.status(statusOf(problem.toBody(), false));
    return context.html(layout(page));
  }

  /** Another page, by GET whatever this request was. */
  redirect(context: Context, path: string): Response {
    context.header("cache-control", "no-store");
    return context.redirect(path, 303);
  }

  async session(context: Context): Promise<(BrowserSession & { cookie: string }) | undefined> {
    const cookie = this.cookies.read(context, sessionCookie);
    const session = cookie === undefined ? undefined : await this.access.sessions.get(cookie);
    return session && cookie !== undefined ? { ...session, cookie } : undefined;
  }

  keepSession(context: Context, { cookie }: BrowserSession): void {
    this.cookies.write(context, sessionCookie, cookie, sessionSeconds);
  }

  dropSession(context: Context): void {
    this.cookies.remove(context, sessionCookie);
  }

  /** The token of a form for a visitor who is not signed in yet: only the holder of the cookie can know it. */
  visitToken(context: Context): string {
    let visit = this.cookies.read(context, visitCookie);
    if (visit === undefined || !/^[\w-]{43}$/.test(visit)) {
      visit = randomBytes(32).toString("base64url");
      this.cookies.write(context, visitCookie, visit, visitSeconds);
    }
    return createHash("sha256").update(`form:${visit}`).digest("base64url");
  }

  readForm(context: Context): Promise<Form> {
    return Form.read(context);
  }

  /** What an error says and what to do about it, beside the form. */
  explain(problem: ForgeError | undefined): string | undefined {
    return problem && [problem.message, ...(problem.next ?? []).map(this.#options.word)].join(" ");
  }

  /** An error that can be shown beside the form; anything else is thrown again. */
  requireForgeError(error: unknown): ForgeError {
    if (error instanceof ForgeError) return error;
    throw error;
  }

  /** What sends a password or a code may be a guess. Lockouts count those that were wrong; this, what they all cost. */
  #countAttempt(context: Context): void {
    this.#options.rates.take("attempt", siteOf(this.origin(context).address));
  }

  #apologise(context: Context, error: unknown): Response {
    const problem = error instanceof ForgeError ? error : this.#logUnexpected(context, error);
    const body = html`${alertBox(this.explain(problem))}<p><a href="/">Back to the start page</a></p>`;
    return this.show(context, { title: "That did not work", body }, problem);
  }

  #logUnexpected(context: Context, error: unknown): ForgeError {
    const reference = this.#options.newId();
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (!isCutOff(context)) this.#options.log("a page failed", { reference, path: context.req.path, error: why });
    return new ForgeError("INTERNAL_ERROR", bodyOf(error, reference).message);
  }
}
