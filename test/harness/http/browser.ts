import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { onTestFinished } from "vitest";

type Message = {
  id?: number;
  method?: string;
  sessionId?: string;
  result?: Record<string, unknown>;
  error?: { message: string };
};

const patienceMs = 30_000;

/** Debian's Chromium with one page, controlled through its debugging pipe. */
export class Browser {
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #session: string | undefined;
  #nextId = 1;
  #loaded: () => void = () => undefined;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#input = child.stdio[3] as Writable;
    let text = "";
    (child.stdio[4] as Readable).setEncoding("utf8").on("data", (chunk: string) => {
      const messages = (text + chunk).split("\0");
      text = messages.pop() ?? "";
      for (const message of messages) this.#take(JSON.parse(message) as Message);
    });
  }

  static async open(): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), "forge-chromium-"));
    const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"];
    const quiet = [
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--window-size=320,800",
    ];
    const child = spawn(
      "chromium",
      [...flags, ...quiet, `--user-data-dir=${profile}`, "--remote-debugging-pipe", "about:blank"],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
    );
    const gone = new Promise((resolve) => child.once("exit", resolve));
    const browser = new Browser(child);
    onTestFinished(async () => {
      // Its helpers write into the profile until the browser itself has ended them.
      browser.#session = undefined;
      await browser.#send("Browser.close").catch(() => child.kill("SIGKILL"));
      await gone;
      rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });
    const { targetId } = await browser.#send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await browser.#send("Target.attachToTarget", { targetId, flatten: true });
    browser.#session = String(sessionId);
    await browser.#send("Page.enable");
    return browser;
  }

  async go(url: string): Promise<void> {
    await this.#andLoad(() => this.#send("Page.navigate", { url }));
  }

  /** The visible text of the page. */
  text(): Promise<string> {
    return this.#evaluate<string>("document.body.innerText");
  }

  url(): Promise<string> {
    return this.#evaluate<string>("location.href");
  }

  /** How much wider the page is than the window. */
  overflow(): Promise<number> {
    return this.#evaluate<number>("document.documentElement.scrollWidth - window.innerWidth");
  }

  /** Types into the fields with these labels. */
  async fill(fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) {
      await this.#evaluate(`(() => {
        const label = [...document.querySelectorAll("label")].find((found) => found.textContent.trim() === ${JSON.stringify(label)});
        label.control.focus();
        label.control.select();
      })()`);
      await this.#send("Input.insertText", { text: value });
    }
  }

  /** Presses a button, and waits for the page that follows. */
  async press(name: string): Promise<void> {
    const find = `[...document.querySelectorAll("button")].find((button) => button.textContent.trim() === ${JSON.stringify(name)})`;
    await this.#andLoad(() => this.#evaluate(`${find}.click()`));
  }

  async #andLoad(act: () => Promise<unknown>): Promise<void> {
    const loaded = new Promise<void>((resolve) => {
      this.#loaded = resolve;
    });
    await act();
    await this.#within(loaded, "a page to load");
  }

  async #evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#send("Runtime.evaluate", { expression, returnByValue: true });
    if (exceptionDetails) throw new Error(`the page failed: ${JSON.stringify(exceptionDetails).slice(0, 500)}`);
    return (result as { value: T }).value;
  }

  async #send(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const id = this.#nextId++;
    const answered = new Promise<Message>((resolve) => this.#waiting.set(id, resolve));
    const session = this.#session === undefined ? {} : { sessionId: this.#session };
    this.#input.write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    const { result, error } = await this.#within(answered, method);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  async #within<T>(work: Promise<T>, what: string): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`Chromium (${this.#child.exitCode}) was waited for in vain: ${what}`)),
        patienceMs,
      );
    });
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #take(message: Message): void {
    if (message.id !== undefined) {
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    } else if (message.method === "Page.loadEventFired") this.#loaded();
  }
}
