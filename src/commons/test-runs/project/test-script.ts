import { splitCommand } from "../../../platform/exec/split-command.ts";

export type JavaScriptRunner = "vitest" | "jest" | "mocha" | "node:test";

/** What a test script in package.json comes to. */
export type TestScript = {
  runner: JavaScriptRunner;
  /** Options of Node itself, before the runner. */
  nodeOptions: string[];
  args: string[];
  env: Record<string, string>;
  notes: string[];
};

const launchers = new Set([
  "npx",
  "pnpx",
  "bunx",
  "yarn",
  "pnpm",
  "exec",
  "env",
  "cross-env",
  "dotenv",
  "c8",
  "nyc",
  "--no-install",
  "--yes",
  "--",
]);
const programs: Record<string, JavaScriptRunner> = {
  vitest: "vitest",
  "vitest.mjs": "vitest",
  jest: "jest",
  "jest.js": "jest",
  mocha: "mocha",
  "mocha.js": "mocha",
  _mocha: "mocha",
};

/**
 * Which runner a script starts, and with what. Only what needs no shell is taken from it: of several commands the last that
 * is a runner; its words where they mean the same without a shell. Undefined where no runner is to be seen.
 */
export function parseTestScript(script: string): TestScript | undefined {
  const commands = script
    .split(/&&|\|\||[;|&\n]/)
    .map((command) => command.trim())
    .filter((command) => command !== "");
  for (const command of commands.reverse()) {
    const understood = parseCommand(command);
    if (!understood) continue;
    const notes =
      commands.length > 1 ? [`Only the \`${command.slice(0, 200)}\` part of package.json's test script is run.`] : [];
    if (!/[$`()<>\\]/.test(command)) return { ...understood, notes };
    const ignored = "package.json's test script needs a shell; its options are left out.";
    return { ...understood, nodeOptions: [], args: [], env: {}, notes: [...notes, ignored] };
  }
  return undefined;
}

function parseCommand(command: string): TestScript | undefined {
  const words = splitCommand(command);
  const env: Record<string, string> = {};
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const [, name, value = ""] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) env[name] = value;
    else if (word === "node" || word === "tsx") return parseNodeCommand(words.slice(at), env);
    else {
      const runner = findProgram(word);
      if (runner) return { runner, nodeOptions: [], args: words.slice(at + 1), env, notes: [] };
      if (!launchers.has(word)) return undefined;
    }
  }
  return undefined;
}

/** `node --test …`, `tsx --test …`, or `node --some-option node_modules/jest/bin/jest.js …`. */
function parseNodeCommand([program = "", ...words]: string[], env: Record<string, string>): TestScript | undefined {
  const before = program === "tsx" ? ["--import", "tsx"] : [];
  const at = words.findIndex((word) => word.includes("node_modules/") && findProgram(word) !== undefined);
  const runner = findProgram(words[at] ?? "");
  if (runner)
    return { runner, nodeOptions: [...before, ...words.slice(0, at)], args: words.slice(at + 1), env, notes: [] };
  if (!words.includes("--test")) return undefined;
  const args = [...before, ...words].filter((word) => word !== "--test");
  return { runner: "node:test", nodeOptions: [], args, env, notes: [] };
}

function findProgram(word: string): JavaScriptRunner | undefined {
  const name = word.split("/").at(-1) ?? "";
  return Object.hasOwn(programs, name) ? programs[name] : undefined;
}

/** A command's words without its operands (files, patterns); of its options, these take the next word as their value. */
export function removeOperands(words: readonly string[], takingValue: ReadonlySet<string>): string[] {
  return words.filter((word, index) => word.startsWith("-") || takingValue.has(words[index - 1] ?? ""));
}
