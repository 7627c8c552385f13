import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { makeSampleRules } from "../../src/app/commands/demo/sample-rules.ts";
import { connectMcp } from "../../src/hosts/mcp/client/connect-mcp.ts";
import { readLinkTokens } from "../../src/platform/secrets/link-token.ts";
import { ForgeProcess, forge } from "../harness/cli/forge-process.ts";
import { describeWith } from "../harness/faults/faults.ts";
import { makeSandbox } from "../harness/git/git.ts";
import { BoardBrowser, findAccessibilityFaults } from "../harness/http/board-browser.ts";

const { files: ruleFiles } = makeSampleRules(Date.now());

/** A project with rules, agents and a ticket in every column, served on a port of its own. */
async function serveProject() {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const env = { ...sandbox.environment, HOME: join(sandbox.root, "home") };
  const cwd = sandbox.repository("shop", { "README.md": "# Shop\n", ...ruleFiles });
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [forge, ...args], { cwd, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`forge ${args.join(" ")}: ${stderr}`);
    return stdout.trim();
  };
  const up = async (port = "0") => {
    const server = new ForgeProcess(["up", "--port", port, "--toolsets", "all"], { cwd, env });
    const page = await server.says(/Board +(http:\/\/127\.0\.0\.1:\d+\/\S*)/);
    // Its output is no terminal, so that the link is without the token.
    const { board } = await readLinkTokens(cwd, join(env.HOME, ".forge", "links"));
    return { server, url: `${page}#${board}` };
  };
  const { server, url } = await up();
  const { origin } = new URL(url);
  const token = await server.says(/Authorization: Bearer ([\w-]+)/);
  const linked = await fetch(`${origin}/link`, { method: "POST", body: new URL(url).hash.slice(1) });
  const [cookie = ""] = (linked.headers.get("set-cookie") ?? "").split(";");
  const ask = async (method: string, path: string, body?: unknown) => {
    const headers = { cookie, "content-type": "application/json" };
    const answer = await fetch(`${origin}/api/tickets${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const make = async (title: string, ...statuses: string[]) => {
    const { id } = await ask("POST", "", { title, description: `About ${title}` });
    for (const status of statuses) await ask("PATCH", `/${id}`, { status });
    return String(id);
  };
  const ids = {
    draft: await make("Write down the idea"),
    todo: await make("Show the total with tax", "READY"),
    progress: await make("Remember the cart", "READY", "CREATED"),
    done: await make("Accept vouchers", "READY", "CREATED", "COMPLETE"),
  };
  const show = (id: string) => ask("GET", `/${id}/view`);
  return {
    ...{ server, url, up, run, ids, ask, show, mcp: { url: `${origin}/mcp`, token } },
    statusOf: async (id: string) => (await show(id))["status"],
  };
}

/** A page of the board, without loading it again. */
async function goTo(page: Page, path: string): Promise<void> {
  const address = JSON.stringify(`/board/${path}`);
  await page.evaluate(`history.pushState(null, "", ${address}); dispatchEvent(new PopStateEvent("popstate"))`);
}

const card = (page: Page, column: string, text: string) =>
  page.locator(`[data-column="${column}"] .card`, { hasText: text });

/** Lifts a card and holds it over a column. */
async function lift(page: Page, text: string, column: string): Promise<void> {
  const from = await page.locator(".card", { hasText: text }).boundingBox();
  const to = await page.locator(`[data-column="${column}"]`).boundingBox();
  if (!from || !to) throw new Error("there is nothing to drag");
  await page.mouse.move(from.x + 40, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 30, { steps: 3 });
  await page.mouse.move(to.x + to.width / 2, to.y + 200, { steps: 8 });
}

describeWith(["chromium"], "the board in a browser", () => {
  let browser: BoardBrowser;
  beforeAll(async () => {
    browser = await BoardBrowser.launch();
  });
  afterAll(async () => {
    await browser.close();
    expect(browser.complaints).toEqual([]);
  });

  test("tickets are created, found, dragged, opened and edited, and every page is accessible", async () => {
    const { url, ids, show, statusOf } = await serveProject();
    const page = await browser.visit(url);
    await card(page, "todo", "Show the total").waitFor();
    expect(await page.locator(".column.folded").allInnerTexts()).toEqual([
      expect.stringContaining("Drafts"),
      expect.stringContaining("Questions"),
    ]);

    await page.keyboard.press("n");
    await page.keyboard.type("Send the receipt by email");
    await page.keyboard.press("Enter");
    await card(page, "todo", "Send the receipt").waitFor();

    await lift(page, "Show the total", "done");
    await page.locator('[data-column="done"].target-no.over .refusal').waitFor();
    expect(await page.locator('[data-column="progress"].target-ok').count()).toBe(1);
    await page.mouse.up();
    await page.locator(".toast.problem", { hasText: "Cannot go from To do to Done" }).waitFor();
    expect(await statusOf(ids.todo)).toBe("READY");

    await lift(page, "Show the total", "progress");
    await page.mouse.up();
    await card(page, "progress", "Show the total").waitFor();
    await page.locator(".toast", { hasText: `${ids.todo} moved to In progress` }).waitFor();
    expect(await statusOf(ids.todo)).toBe("CREATED");
    expect(await findAccessibilityFaults(page)).toEqual([]);

    await page.getByLabel("Search tickets").fill("vouchers");
    await card(page, "todo", "receipt").waitFor({ state: "detached" });
    await card(page, "done", "Accept vouchers").click();
    await page.getByRole("heading", { name: "Accept vouchers" }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Title").fill("Accept gift vouchers");
    await page.getByLabel("Acceptance criteria, one per line").fill("A voucher lowers the total");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Accept gift vouchers" }).waitFor();
    expect(await show(ids.done)).toMatchObject({
      title: "Accept gift vouchers",
      criteria: [{ text: "A voucher lowers the total" }],
    });
    expect(await findAccessibilityFaults(page)).toEqual([]);

    for (const view of ["list", "activity", "executions", "tasks", "proof", "connect"]) {
      await page
        .getByRole("navigation")
        .getByRole("link", { name: new RegExp(view, "i") })
        .click();
      await page.locator(".page h1, .rows").first().waitFor();
      expect(await findAccessibilityFaults(page), view).toEqual([]);
    }
  });

  test("every part of a project has its page: comments and receipt, rules, agents and memories", async () => {
    const { url, run, ids, ask, mcp } = await serveProject();
    const assistant = await connectMcp(mcp.url, "tester", mcp.token);
    await ask("PATCH", `/${ids.progress}`, { acceptanceCriteria: ["The shop has rules"], labels: ["cart"] });
    await ask("PATCH", `/${ids.todo}`, { dependsOn: [ids.progress] });
    await ask("PATCH", `/${ids.done}`, { title: "Accept \u202evouchers\u200b" });
    await assistant.call("forge_bind_check", {
      ticketId: ids.progress,
      criterion: "AC-1",
      file: "Forge/invariants.json",
    });
    const text = "Prices are in cents, so that sums are exact";
    await assistant.call("remember_structured", { type: "decisions", agent: "dev", text });
    for (let time = 0; time < 2; time++)
      await assistant.call("record_failure", { title: "Rounded too early", lesson: "Round once" });
    await assistant.call("forge_verify_ticket", { ticketId: ids.progress });
    await assistant.close();
    run("governance", "check");

    const page = await browser.visit(url);
    const isAccessible = async (view: string) => expect(await findAccessibilityFaults(page), view).toEqual([]);
    await card(page, "todo", "Show the total").getByText("blocked").waitFor();
    await card(page, "done", "Accept \\u{202e}vouchers\\u{200b}").waitFor();
    await card(page, "progress", "Remember the cart").getByText("cart", { exact: true }).waitFor();
    await card(page, "progress", "Remember the cart").click();
    await page.getByLabel("New comment").fill("Looks good, see https://bank.example@evil.example/x <img src=x>");
    await page.getByRole("button", { name: "Comment" }).click();
    await page.locator(".notes .outside b", { hasText: "evil.example" }).waitFor();
    expect(await page.locator(".notes img").count()).toBe(0);
    await page.locator(".evidence summary", { hasText: "unproven" }).click();
    await page.getByText("Proposed by tester.").waitFor();
    await isAccessible("ticket");
    await page.getByRole("link", { name: "Receipt" }).click();
    await page.getByRole("cell", { name: "The shop has rules" }).waitFor();
    const [kept] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download signed receipt" }).click(),
    ]);
    const { payload } = JSON.parse(readFileSync(await kept.path(), "utf8")) as { payload: string };
    expect(Buffer.from(payload, "base64").toString()).toContain(`"id":"${ids.progress}"`);
    await isAccessible("receipt");

    await goTo(page, "governance");
    await page.locator(".tiles li", { hasText: "todo count" }).locator("svg").waitFor();
    await page.getByRole("cell", { name: "boundary:shop src/format.js" }).waitFor();
    await isAccessible("governance");
    await page.getByRole("link", { name: "builder contract" }).click();
    await page.getByText("Prices are integers").waitFor();

    await goTo(page, "registry");
    await page.getByLabel("Search agents, tools and plugins").fill("checkout");
    await page.getByRole("cell", { name: "run-tests" }).waitFor({ state: "detached" });
    await isAccessible("registry");
    await page.getByRole("link", { name: "checkout-reviewer" }).click();
    await page.getByRole("heading", { name: "Fork of reviewer 1.0.0" }).waitFor();
    await page.locator(".d-add", { hasText: "in cents" }).waitFor();
    await page.getByRole("cell", { name: "run-tests" }).waitFor();
    await isAccessible("definition");
    await goTo(page, "definition/agent/reviewer");
    await page.getByRole("link", { name: "1.0.0" }).click();
    await page.locator(".status", { hasText: "1.0.0" }).waitFor();

    await page.keyboard.press("Control+k");
    await page.keyboard.type("cents");
    await page.getByRole("option", { name: "Search memories for" }).click();
    await page.locator(".notes", { hasText: "Prices are in cents" }).waitFor();
    await page.getByText("2 times").waitFor();
    await isAccessible("memory");
  });

  test("two browsers see each other's change, and an edit of the same field asks which to keep", async () => {
    const { url, ids, show, run } = await serveProject();
    const [one, other] = [await browser.visit(url), await browser.visit(url)];
    await card(other, "todo", "Show the total").waitFor();
    await card(one, "todo", "Show the total").waitFor();
    await lift(one, "Show the total", "progress");
    await one.mouse.up();
    await card(other, "progress", "Show the total").waitFor();
    run("create", "Made on the command line");
    await other.locator('[data-column="drafts"]', { hasText: "2" }).waitFor();

    for (const page of [one, other]) {
      await page.locator(".card", { hasText: "Remember the cart" }).click();
      await page.getByRole("button", { name: "Edit" }).click();
    }
    await one.getByLabel("Title").fill("Remember the cart for a week");
    await one.getByLabel("Solution").fill("A cookie");
    await one.getByRole("button", { name: "Save" }).click();
    await one.getByRole("heading", { name: "for a week" }).waitFor();
    await other.getByLabel("Title").fill("Remember the cart for a month");
    await other.getByRole("button", { name: "Save" }).click();
    await other.getByText("They wrote:").waitFor();
    expect(await other.getByLabel("Solution").inputValue()).toBe("A cookie");
    await other.getByRole("button", { name: "Keep mine" }).click();
    await other.getByRole("button", { name: "Save" }).click();
    await one.getByRole("heading", { name: "for a month" }).waitFor();
    expect(await show(ids.progress)).toMatchObject({ solution: "A cookie" });
  });

  test("after a break the board says so, and catches up by itself", async () => {
    const { url, server, up, run, ids } = await serveProject();
    const page = await browser.visit(url);
    await card(page, "todo", "Show the total").waitFor();
    await page.locator(".live-dot.on").waitFor();
    server.child.kill("SIGTERM");
    await server.exited;
    await page.getByText("Not connected.").waitFor();
    run("status", ids.todo, "in-progress");
    await up(new URL(url).port);
    await card(page, "progress", "Show the total").waitFor();
    await page.getByText("Not connected.").waitFor({ state: "detached" });
  });

  test("everything is reached with the keyboard alone", async () => {
    const { url, ids, statusOf } = await serveProject();
    const page = await browser.visit(url);
    const focused = page.locator(".card:focus-within");
    await card(page, "todo", "Show the total").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Shift+ArrowRight");
    await card(page, "progress", "Show the total").waitFor();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => focused.textContent()).toContain("Accept vouchers");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Accept vouchers" }).waitFor();
    await page.keyboard.press("e");
    await page.getByLabel("Title").press("Control+Enter");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("remember");
    await page.getByRole("option", { name: /Remember the cart/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Remember the cart" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("a");
    await page.getByRole("heading", { name: "Activity" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.getByRole("link", { name: "checkout-reviewer" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Fork of reviewer" }).waitFor();
    expect(await statusOf(ids.todo)).toBe("CREATED");
  });

  test("fits a phone 400 px wide, in the dark too", async () => {
    const { url, ids } = await serveProject();
    const page = await browser.visit(url, {
      viewport: { width: 400, height: 800 },
      colorScheme: "dark",
      hasTouch: true,
    });
    await card(page, "todo", "Show the total").waitFor();
    const overflow = () => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    const views = ["", "list", `ticket/${ids.done}`, "activity", "tasks", "connect", "proof", "governance", "memory"];
    for (const view of [...views, "contract/boundaries", "definition/agent/checkout-reviewer", "registry"]) {
      await goTo(page, view);
      await page.locator(".board, .rows, .page h1").first().waitFor();
      expect(await overflow(), view).toBeLessThanOrEqual(0);
    }
    expect(await findAccessibilityFaults(page)).toEqual([]);
  });

  test("on a team's server people sign in, and see each other's moves", async () => {
    const sandbox = makeSandbox();
    onTestFinished(() => sandbox.dispose());
    const place = { cwd: sandbox.root, env: { ...sandbox.environment, HOME: join(sandbox.root, "home") } };
    const server = new ForgeProcess(["serve", "--port", "0"], place);
    const [ada, other] = [await browser.open(await server.says(/(http:\S+\/setup\?code=\S+)/)), await browser.open()];
    const person = { Email: "ada@example.com", Password: "correct horse battery" };
    for (const [label, text] of Object.entries({ ...person, "Your name": "Ada", Team: "Acme" }))
      await ada.getByLabel(label, { exact: false }).fill(text);
    await ada.getByRole("button").first().click();
    await ada.getByRole("link", { name: "Open the board" }).click();
    await ada.locator(".board").waitFor();
    await ada.keyboard.press("n");
    await ada.keyboard.type("Ship the new pricing");
    await ada.keyboard.press("Enter");
    await card(ada, "todo", "Ship the new").waitFor();

    await other.goto(new URL("/board", ada.url()).href);
    for (const [label, text] of Object.entries(person)) await other.getByLabel(label).fill(text);
    await other.getByRole("button", { name: "Sign in" }).click();
    // They asked for the board, and are taken there.
    await card(other, "todo", "Ship the new").waitFor();
    await lift(ada, "Ship the new", "progress");
    await ada.mouse.up();
    await card(other, "progress", "Ship the new").waitFor();

    for (const view of ["governance", "registry", "people", "tokens", "audit"]) {
      await goTo(other, view);
      await other.locator(".page section").first().waitFor();
    }
    expect(await findAccessibilityFaults(other)).toEqual([]);
  });
});
