import { gunzipSync, gzipSync } from "node:zlib";
import { Hono } from "hono";
import { expect, test } from "vitest";
import type { Answer, Outcome } from "../../../kernel/calls/invoke.ts";
import { wordForHttp } from "../reply/wording.ts";
import type { BoardFiles } from "./board-files.ts";
import { type BoardOptions, serveBoard } from "./serve-board.ts";
import { type ReadTool, serveTools } from "./serve-tools.ts";

const text = "export const answer = 42;";
const files: BoardFiles = {
  script: "board-A.js",
  style: "style-B.css",
  worker: "events-C.js",
  files: [
    { name: "board-A.js", text, gzip: gzipSync(text).toString("base64") },
    { name: "style-B.css", text: "a{}", gzip: gzipSync("a{}").toString("base64") },
  ],
};

function open(options: Partial<BoardOptions> = {}) {
  const app = new Hono();
  serveBoard(app, { files, start: async () => ({ place: "project" }), ...options });
  return app;
}

test("one page for all addresses of the board, which may run and load nothing but its own files", async () => {
  const app = open();
  for (const path of ["/board", "/board/list", "/board/ticket/T-001"]) {
    const response = await app.request(path);
    expect(response.status, path).toBe(200);
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const html = await response.text();
    expect(html).toContain('src="/assets/board-A.js"');
    expect(html).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle="|\son\w+="/);
  }
});

test("files are cached permanently, and compressed where the browser accepts it", async () => {
  const app = open();
  const plain = await app.request("/assets/board-A.js");
  expect(await plain.text()).toBe(text);
  expect(plain.headers.get("cache-control")).toContain("immutable");
  const small = await app.request("/assets/board-A.js", { headers: { "accept-encoding": "br, gzip" } });
  expect(small.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(Buffer.from(await small.arrayBuffer())).toString()).toBe(text);
  expect((await app.request("/assets/style-B.css")).headers.get("content-type")).toContain("text/css");
  for (const name of ["board-Z.js", "..%2Fpackage.json", "__proto__"])
    expect((await app.request(`/assets/${name}`)).status, name).toBe(404);
});

test("a visitor who is not signed in is sent to sign in, and the page's data is refused", async () => {
  const app = open({ start: async () => undefined, signIn: "/signin" });
  const page = await app.request("/board/list");
  expect([page.status, page.headers.get("location")]).toEqual([303, "/signin?to=%2Fboard%2Flist"]);
  expect((await app.request("/api/board")).status).toBe(401);
});

test("a tool's answer is passed on, and its error with what to do", async () => {
  const app = new Hono();
  const outcomes: Record<string, Outcome<Answer>> = {
    good: { kind: "value", value: { structured: { total: 1 }, text: "", content: undefined } },
    bad: { kind: "error", body: { error: true, code: "NOT_FOUND", message: "No.", next: ["Look."] } },
  };
  const readTool: ReadTool = async ({ name }) => outcomes[name] ?? Promise.reject(new Error(name));
  serveTools(app, { readTool, isUser: () => true }, wordForHttp([]));
  const call = (name: string) =>
    app.request(`/api/tools/${name}`, { method: "POST", body: "{}", headers: { "content-type": "application/json" } });
  expect(await (await call("good")).json()).toEqual({ total: 1 });
  const bad = await call("bad");
  expect(bad.status).toBe(404);
  expect(await bad.json()).toMatchObject({ code: "NOT_FOUND", suggestions: ["Look."] });
});
