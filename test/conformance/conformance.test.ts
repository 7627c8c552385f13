import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleProgram } from "../harness/cli/bundle-program.ts";

const suite = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
let server: ReturnType<typeof spawn>;
let url: string;

beforeAll(async () => {
  server = spawn(process.execPath, [await bundleProgram(new URL("./server.ts", import.meta.url))], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream });
  url = await new Promise((resolve, reject) => {
    lines.once("line", resolve);
    server.once("exit", () => reject(new Error("the fixture server ended before it listened")));
  });
});

afterAll(() => void server.kill("SIGKILL"));

test.each([
  ["2025-11-25", 30],
  ["2026-07-28", 37],
])(
  "passes every required scenario of %s (%i)",
  async (revision, required) => {
    const args = [
      "--import",
      "./test/conformance/fs-glob-shim.mjs",
      suite,
      "server",
      "--url",
      url,
      "--requirements",
      revision,
    ];
    const { stdout, code } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1_048_576 }).then(
      ({ stdout }) => ({ stdout, code: 0 }),
      (error: { stdout: string; code: number }) => error,
    );
    const summary = stdout.slice(stdout.indexOf("=== SUMMARY ==="));
    const [scored = "", unscored = ""] = summary.split("Not scored for");
    const names = (text: string, mark: string) =>
      [...text.matchAll(new RegExp(`^\\s*${mark} ([\\w-]+)`, "gm"))].map(([, name]) => name);
    const outside = new Set([...names(unscored, "✓"), ...names(unscored, "✗")]);
    const inside = (mark: string) => names(scored, mark).filter((name) => !outside.has(name));
    expect(inside("✗")).toEqual([]);
    expect(inside("✓")).toHaveLength(required);
    expect(code).toBe(0);
  },
  180_000,
);
