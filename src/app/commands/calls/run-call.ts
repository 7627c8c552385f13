import type { App } from "../../../commons/cli/app.ts";
import { progressLine } from "../../../commons/cli/print/progress-line.ts";
import type { Output } from "../../../kernel/definitions/command.ts";
import { plainJson } from "../../../platform/terminal/text.ts";
import { readArguments, readInputText } from "./arguments.ts";
import { propertiesOf } from "./shape.ts";

type Wanted = { tool: string; words: string[]; input: string | undefined };

/** Calls a tool with the arguments on the command line, and prints its result as JSON. */
export async function runCall(app: App, { tool: name, words, input }: Wanted, out: Output): Promise<number> {
  const tool = await app.tools.describe(name);
  const called = { by: "call", name } as const;
  const source = input === "-" ? "from standard input" : `file ${input}`;
  const base = input === undefined ? {} : readInputText(called, source, await app.files.read(input, out.signal));
  const given = readArguments(called, propertiesOf(tool.inputSchema), words, base);
  try {
    const result = await app.tools.call(name, given, {
      signal: out.signal,
      report: (progress) => out.progress(progressLine(progress)),
    });
    printJson(result, out);
  } finally {
    out.progress(undefined);
  }
  return 0;
}

/** For people with line breaks, for programs without. */
function printJson(value: unknown, out: Output): void {
  out.print(plainJson(JSON.stringify(value, null, out.width === undefined ? undefined : 2) ?? "null"));
}
