import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { commandFacts } from "../../src/app/commands/command-facts.ts";
import { loadRoutes } from "../../src/app/server/server-routes.ts";
import { commandLineFor, wordForShell } from "../../src/commons/cli/command-line.ts";
import { wordForHttp } from "../../src/hosts/http/reply/wording.ts";
import { wordForAssistant } from "../../src/hosts/mcp/wording.ts";
import type { Action } from "../../src/kernel/action.ts";
import { isOn } from "../../src/kernel/definitions/tool.ts";
import { loadToolset } from "../../src/kernel/definitions/toolset.ts";
import { ForgeError } from "../../src/kernel/errors.ts";
import { isRecord } from "../../src/kernel/json.ts";
import { rooms } from "../../src/rooms.ts";
import { expectCommandLine } from "../harness/cli/command-line.ts";
import { anyArgument, sampleText } from "./any-argument.ts";

type MakeError = (...args: unknown[]) => unknown;

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => /^(?:rooms|commons)\/.*\berrors\.ts$/.test(file))
  .sort();
const makers = (
  await Promise.all(
    files.map(async (file) => {
      const module = (await import(`../../src/${file}`)) as Record<string, unknown>;
      return Object.entries(module).flatMap(([name, make]) =>
        typeof make === "function" && !isClass(make) ? [{ name: `${file} ${name}`, make: make as MakeError }] : [],
      );
    }),
  )
).flat();

const toolsets = await Promise.all(rooms.map((room) => loadToolset(room)));
const tools = new Map(toolsets.flatMap((set) => set.tools.map((tool) => [tool.name, tool] as const)));
const routes = (await loadRoutes()).map(({ route }) => route);
const isTool = (name: string) => {
  const tool = tools.get(name);
  return tool !== undefined && isOn("mcp", tool);
};
const commandLine = (tool: string, input: Record<string, unknown>) => commandLineFor(commandFacts.all(), tool, input);
const surfaces = {
  MCP: wordForAssistant(isTool, commandLine),
  CLI: wordForShell(commandFacts.all()),
  HTTP: wordForHttp(routes, commandLine),
};

test("there are errors to look at", () => {
  expect(makers.length).toBeGreaterThan(200);
});

describe.each(makers)("$name", ({ make }) => {
  test("reads as sentences on every surface", () => {
    for (const { message, next = [] } of samplesOf(make)) {
      expect(message).not.toMatch(/\[object|\bNaN\b/);
      for (const text of next.map(plain).flatMap((action) => Object.values(surfaces).map((word) => word(action))))
        if (text !== sampleText) expect(text).toMatch(/^\S.*[.?!`"]$/s);
    }
  });

  test("suggests what each surface accepts", async () => {
    for (const action of samplesOf(make).flatMap(({ next = [] }) => next.map(plain))) await expectAccepted(action);
  });
});

async function expectAccepted(action: Action): Promise<void> {
  if (typeof action === "string") return;
  if ("tool" in action) expectCall(action.tool, action.input ?? {});
  for (const word of Object.values(surfaces)) {
    const text = word(action);
    const [, line] = /`forge ([^`]*)`/.exec(text) ?? [];
    if (line !== undefined) await expectCommand(line);
    const [, method = "", path] = /Send ([A-Z]+) (\S+?)(?:\?\S*)?(?= |\.$)/.exec(text) ?? [];
    if (path !== undefined) expectRequest(method, path);
  }
}

/** The error with every argument given, and with only those that it requires. */
function samplesOf(make: MakeError): ForgeError[] {
  const given = Array.from({ length: 8 }, () => anyArgument());
  const results = [make(...given), make(...given.slice(0, make.length))];
  return results.filter((result) => result instanceof ForgeError);
}

function isClass(value: object): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

/** Stand-ins in an action read as the texts that they would be. */
function plain(action: Action): Action {
  return JSON.parse(JSON.stringify(action)) as Action;
}

/** The tool exists and accepts the input, apart from values that the stand-in gave or the reader fills in. */
function expectCall(name: string, input: Record<string, unknown>): void {
  const tool = tools.get(name);
  expect(tool, `the tool ${name}`).toBeDefined();
  const { error } = tool ? tool.input.safeParse(input) : { error: undefined };
  const issues = (error?.issues ?? []).filter(({ path }) => !isPlaceholder(path.reduce(valueAt, input)));
  expect(
    issues.map((issue) => z.prettifyError({ issues: [issue] } as z.ZodError)),
    JSON.stringify(input),
  ).toEqual([]);
}

function valueAt(value: unknown, key: PropertyKey): unknown {
  return isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined;
}

/** Words in capitals, which the reader replaces: `ID`, `BLOCK`, and the stand-in. */
function isPlaceholder(value: unknown): boolean {
  return typeof value === "string" && /^[A-Z][A-Z_/-]*$/.test(value);
}

/** Any command's name will do where the error names the one that was typed. */
async function expectCommand(line: string): Promise<void> {
  if (!line.startsWith("--")) await expectCommandLine(line.replace(new RegExp(`^${sampleText}(?= |$)`), "list"));
}

function expectRequest(method: string, path: string): void {
  const fits = routes.some(
    (route) => route.method === method && new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/]+")}$`).test(path),
  );
  expect(fits, `${method} ${path}`).toBe(true);
}
