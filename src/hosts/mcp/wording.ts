import { type Action, sentence } from "../../kernel/action.ts";

/** Tools that assistants can call; anything else is the user's to run. */
export type IsTool = (name: string) => boolean;

/** How an assistant is told what to do next. `commandLine` gives the shell command of an operation it cannot call itself. */
export function wordForAssistant(
  isTool: IsTool,
  commandLine: (tool: string, input: Record<string, unknown>) => string,
): (action: Action) => string {
  const forUser = (line: string, why: string | undefined) => sentence(`Ask the user to run \`${line}\``, why);
  return (action) => {
    if (typeof action === "string") return action;
    if ("command" in action) return forUser(`forge ${action.command}`, action.why);
    const { tool, input = {}, why } = action;
    if (!isTool(tool)) return forUser(commandLine(tool, input), why);
    return sentence(`Call ${tool}${Object.keys(input).length > 0 ? ` with ${JSON.stringify(input)}` : ""}`, why);
  };
}
