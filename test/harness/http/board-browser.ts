import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

type Finding = { id: string; nodes: { target: string[]; failureSummary?: string }[] };

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"];

/** Debian's Chromium, for pages that run scripts. */
export class BoardBrowser {
  readonly #browser: Browser;
  /** What pages complained about: script errors, blocked requests, breaches of the policy. */
  readonly complaints: string[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async launch(): Promise<BoardBrowser> {
    return new BoardBrowser(await chromium.launch({ executablePath: "/usr/bin/chromium", args: flags }));
  }

  /** A board, opened by a person of their own: nothing is shared with other pages. */
  async visit(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.open(url, options);
    await page.locator("main").waitFor();
    return page;
  }

  /** The same for any page. */
  async open(url = "about:blank", options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.on("pageerror", (error) => this.complaints.push(error.message));
    page.on("console", (message) => {
      // While a server is away, requests fail; what it refuses is looked at below.
      const isRequest = /^Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY/.test(message.text());
      if (message.type() === "error" && !isRequest) this.complaints.push(message.text());
    });
    page.on("response", async (response) => {
      // The first request has no cookie yet; an edit of the same field is a conflict.
      if (response.status() < 400 || [401, 412].includes(response.status())) return;
      const said = await response.text().catch(() => "");
      this.complaints.push(`${response.status()} ${response.url()} ${said.slice(0, 500)}`);
    });
    page.on("request", (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol.startsWith("http") && hostname !== "127.0.0.1") this.complaints.push(`asked ${request.url()}`);
    });
    await page.goto(url);
    return page;
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

/** What axe finds wrong with the page as it is now. */
export async function findAccessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const findings = await page.evaluate<Finding[]>("axe.run().then((result) => result.violations)");
  return findings.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}
