import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { wordForShell } from "../../../src/commons/cli/command-line.ts";
import { type PagesOptions, servePages } from "../../../src/hosts/http/pages/index.ts";
import { RateLimits } from "../../../src/hosts/http/request/rate-limits.ts";
import type { Access } from "../../../src/rooms/access/service/access.ts";
import { ada, home, openAccess, type SignedInPerson, setUp } from "../rooms/access.ts";

type Pages = { app: Hono; access: Access; logged: string[] };

/** The pages on their own store. */
export function makePages(options: Partial<PagesOptions> = {}): Pages {
  const folder = mkdtempSync(join(tmpdir(), "forge-pages-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { access } = openAccess({ file: join(folder, "forge.db") });
  const logged: string[] = [];
  const app = new Hono();
  servePages(app, {
    access,
    publicUrl: () => "http://localhost:7718",
    provider: undefined,
    origin: () => home,
    rates: new RateLimits(),
    word: wordForShell([]),
    log: (message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`),
    newId: () => "r-1",
    ...options,
  });
  return { app, access, logged };
}

/** The same with a team and its first admin. */
export async function makeTeamPages(options: Partial<PagesOptions> = {}): Promise<Pages & { admin: SignedInPerson }> {
  const pages = makePages(options);
  return { ...pages, admin: await setUp(pages.access) };
}

/** The pages themselves, or a server that has them. */
type Answering = { request(path: string, init: RequestInit): Response | Promise<Response> };

/** A browser without scripts: it keeps cookies, and sends the form that it was shown. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly setCookies: string[] = [];
  html = "";
  path = "";
  status = 0;
  headers = new Headers();
  readonly #app: Answering;
  readonly #sent: Record<string, string>;

  constructor(app: Answering, sent: Record<string, string> = {}) {
    this.#app = app;
    this.#sent = sent;
  }

  get text(): string {
    return this.html.replaceAll(/<style>[\s\S]*?<\/style>|<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
  }

  get title(): string {
    return /<h1>([^<]*)/.exec(this.html)?.[1] ?? "";
  }

  /** The value of an input, as the page gives it. */
  value(name: string): string | undefined {
    const [input] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(this.html) ?? [];
    return input === undefined ? undefined : /value="([^"]*)"/.exec(input)?.[1];
  }

  async open(path: string): Promise<this> {
    return this.#go(path, {});
  }

  /** Fills in the page's form and sends it, with what is hidden in it. */
  async send(path: string, fields: Record<string, string>): Promise<this> {
    const hidden = [...this.html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
    const body = new URLSearchParams({
      ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])),
      ...fields,
    });
    return this.#go(path, { method: "POST", body });
  }

  async signIn(): Promise<this> {
    await this.open("/signin");
    return this.send("/signin", { email: ada.email, password: ada.password });
  }

  async #go(path: string, request: RequestInit): Promise<this> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await this.#app.request(path, { ...request, headers: { ...this.#sent, cookie } });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const location = response.headers.get("location");
    if (response.status === 303 && location?.startsWith("/")) return this.#go(location, {});
    this.path = location ?? path;
    this.status = response.status;
    this.headers = response.headers;
    this.html = await response.text();
    return this;
  }

  #keep(line: string): void {
    this.setCookies.push(line);
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/Max-Age=0\b/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
