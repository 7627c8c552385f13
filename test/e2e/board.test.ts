import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { ForgeProcess, forge } from "../harness/cli/forge-process.ts";
import { describeWith } from "../harness/faults/faults.ts";
import { makeSandbox } from "../harness/git/git.ts";
import { BoardBrowser, findAccessibilityFaults } from "../harness/http/board-browser.ts";

/** A project with a ticket in every column, served on a port of its own. */
async function serveProject() {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const env = { ...sandbox.environment, HOME: join(sandbox.root, "home") };
  const cwd = sandbox.repository("shop", { "README.md": "# Shop\n" });
  const place = { cwd, env };
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [forge, ...args], { cwd, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`forge ${args.join(" ")}: ${stderr}`);
    return stdout.trim();
  };
  const make = (title: string, ...statuses: string[]) => {
    const id = run("create", title, "--description", `About ${title}`);
    for (const status of statuses) run("status", id, status);
    return id;
  };
  const ids = {
    draft: make("Write down the idea"),
    todo: make("Show the total with tax", "ready"),
    progress: make("Remember the cart", "ready", "in-progress"),
    done: make("Accept vouchers", "ready", "in-progress", "done"),
  };
  const up = async (port = "0") => {
    const server = new ForgeProcess(["up", "--port", port], place);
    return { server, url: await server.says(/Board +(http:\/\/127\.0\.0\.1:\d+\/\S*)/) };
  };
  return { ...(await up()), up, run, ids, statusOf: (id: string) => JSON.parse(run("show", id, "--json")).status };
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
    browser = await BoardBrowser.open();
  });
  afterAll(async () => {
    await browser.close();
    expect(browser.complaints).toEqual([]);
  });

  test("tickets are created, found, dragged, opened and edited, and every page is accessible", async () => {
    const { url, run, ids, statusOf } = await serveProject();
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
    expect(statusOf(ids.todo)).toBe("READY");

    await lift(page, "Show the total", "progress");
    await page.mouse.up();
    await card(page, "progress", "Show the total").waitFor();
    await page.locator(".toast", { hasText: `${ids.todo} moved to In progress` }).waitFor();
    expect(statusOf(ids.todo)).toBe("CREATED");
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
    expect(JSON.parse(run("show", ids.done, "--json"))).toMatchObject({
      title: "Accept gift vouchers",
      criteria: [{ text: "A voucher lowers the total" }],
    });
    expect(await findAccessibilityFaults(page)).toEqual([]);

    for (const view of ["list", "activity", "executions", "tasks", "connect"]) {
      await page
        .getByRole("navigation")
        .getByRole("link", { name: new RegExp(view, "i") })
        .click();
      await page.locator(".page h1, .rows").first().waitFor();
      expect(await findAccessibilityFaults(page), view).toEqual([]);
    }
  });

  test("two browsers see each other's change, and an edit of the same field asks which to keep", async () => {
    const { url, ids, run } = await serveProject();
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
    expect(JSON.parse(run("show", ids.progress, "--json"))).toMatchObject({ solution: "A cookie" });
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
    expect(statusOf(ids.todo)).toBe("CREATED");
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
    for (const view of ["", "list", `ticket/${ids.done}`, "activity", "tasks", "connect"]) {
      const address = JSON.stringify(`/board/${view}`);
      await page.evaluate(`history.pushState(null, "", ${address}); dispatchEvent(new PopStateEvent("popstate"))`);
      await page.locator(".board, .rows, .page h1").first().waitFor();
      expect(await overflow(), view).toBeLessThanOrEqual(0);
    }
    expect(await findAccessibilityFaults(page)).toEqual([]);
  });
});
