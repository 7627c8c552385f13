import type { App } from "../../../commons/cli/app.ts";
import type { Output } from "../../../kernel/definitions/command.ts";

/** Undefined where nobody can be asked, or nothing was typed. */
export async function askFor(app: App, out: Output, question: string): Promise<string | undefined> {
  if (out.json || !app.terminal.ask) return undefined;
  const answer = (await app.terminal.ask(question, out.signal))?.trim();
  return answer === "" ? undefined : answer;
}
