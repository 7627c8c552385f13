import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Effort } from "../effort.ts";
import { Rounds } from "../rounds.ts";
import { compare, type Row } from "../row.ts";
import { makeTickets, ticketId } from "../ticket-store.ts";
import type { Workshop } from "../workshop.ts";
import type { Figure } from "./index.ts";

const executable = "/usr/bin/chromium";
const flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-precise-memory-info"];

/** Changes that are sent at the same time, each to a ticket of its own. */
const inFlight = 20;

type ServedBoard = { url: string; end(): Promise<void> };

/** The board in Debian's Chromium: first paint with many tickets, a change seen by another browser, memory over many events. */
export async function measureBoard({ folder, forge, env }: Workshop, effort: Effort): Promise<Figure> {
  const samples = new Rounds<number>();
  if (!existsSync(executable)) return { rows: rowsOf(samples, effort), samples };
  const empty = await serve(forge, await makeTickets(join(folder, "board-empty"), 0), env);
  const full = await serve(forge, await makeTickets(join(folder, "board-full"), effort.boardTickets), env);
  const browser = await chromium.launch({ executablePath: executable, args: flags });
  try {
    await paintTime(browser, empty.url);
    for (let round = 0; round < effort.boardRounds; round++) {
      samples.add("empty board", await paintTime(browser, empty.url));
      samples.add("board", await paintTime(browser, full.url));
    }
    await measureMoves(browser, full.url, effort, samples);
    await measureMemory(browser, full.url, effort, samples);
  } finally {
    await browser.close();
    await Promise.all([empty.end(), full.end()]);
  }
  return { rows: rowsOf(samples, effort), samples };
}

function rowsOf(samples: Rounds<number>, { boardTickets, boardEvents }: Effort): Row[] {
  const pick = (value: number) => value;
  return [
    compare(samples, {
      id: "board-paint",
      what: `Board, first paint with ${boardTickets} tickets`,
      ...{ of: "board", against: "empty board", unit: "ms", pick },
      goal: { kind: "target", atMost: 3 },
    }),
    compare(samples, {
      id: "board-move",
      what: "Board, a move seen in another browser",
      ...{ of: "seen", against: "the server's update", unit: "ms", pick },
      goal: { kind: "target", atMost: 10 },
    }),
    compare(samples, {
      id: "board-memory",
      what: `Board, memory after ${boardEvents} events`,
      ...{ of: "heap after", against: "heap before", unit: "MB", pick },
      goal: { kind: "target", atMost: 1.5 },
    }),
  ];
}

async function serve(forge: string, cwd: string, env: Record<string, string>): Promise<ServedBoard> {
  const args = [forge, "up", "--port", "0", "--no-token"];
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  for await (const chunk of child.stdout) {
    said += String(chunk);
    const [, url] = /Board +(http:\S+?)\/?\s/.exec(said) ?? [];
    if (url === undefined) continue;
    return {
      url,
      async end() {
        const exited = once(child, "exit");
        child.kill("SIGTERM");
        await exited;
      },
    };
  }
  throw new Error(`forge up ended before it listened: ${said}`);
}

async function open(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.locator('.board[aria-busy="false"]').waitFor();
  return page;
}

async function paintTime(browser: Browser, url: string): Promise<number> {
  const start = performance.now();
  const page = await open(browser, url);
  const taken = performance.now() - start;
  await page.context().close();
  return taken;
}

async function change(url: string, id: string, body: Record<string, unknown>): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/api/tickets/${id}`, { method: "PATCH", headers, body: JSON.stringify(body) });
  await response.text();
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
}

/** From the moment that the change is sent until the other page shows it, which the page itself observes. */
async function measureMoves(
  browser: Browser,
  url: string,
  { boardMoves }: Effort,
  samples: Rounds<number>,
): Promise<void> {
  const page = await open(browser, url);
  await page.locator(".live-dot.on").waitFor();
  for (let move = 0; move < boardMoves; move++) {
    const id = ticketId(1 + (move % 2));
    const [status, column] = move % 4 < 2 ? ["CREATED", "progress"] : ["READY", "todo"];
    const seen = page.evaluate(
      `new Promise((resolve) => {
        const look = () => document.querySelector('[data-column="${column}"] [data-ticket="${id}"]') || ${column === "todo"} && !document.querySelector('[data-column="progress"] [data-ticket="${id}"]') ? resolve() : requestAnimationFrame(look);
        look();
      })`,
    );
    const start = performance.now();
    await change(url, id, { status });
    samples.add("the server's update", performance.now() - start);
    await seen;
    samples.add("seen", performance.now() - start);
  }
  await page.context().close();
}

async function measureMemory(
  browser: Browser,
  url: string,
  { boardEvents }: Effort,
  samples: Rounds<number>,
): Promise<void> {
  const page = await open(browser, url);
  await page.locator(".live-dot.on").waitFor();
  const heap = async () => {
    await page.requestGC();
    return (await page.evaluate<number>("performance.memory.usedJSHeapSize")) / 1_048_576;
  };
  const warmUp = Math.ceil(boardEvents / 10 / inFlight) * inFlight;
  const send = async (from: number, count: number) => {
    for (let event = from; event < from + count; event += inFlight) {
      const priority = (event / inFlight) % 2 === 0 ? "low" : "high";
      const ids = Array.from({ length: inFlight }, (_, index) => ticketId(3 + index));
      await Promise.all(ids.map((id) => change(url, id, { priority })));
    }
    await page.waitForTimeout(300);
  };
  await send(0, warmUp);
  samples.add("heap before", await heap());
  await send(warmUp, boardEvents);
  samples.add("heap after", await heap());
  await page.context().close();
}
