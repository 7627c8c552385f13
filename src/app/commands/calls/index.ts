/** One module, so that the build makes one file of it. */
export { completeArguments } from "./argument-words.ts";
export { listPrompts, listResources, listTools } from "./lists.ts";
export { runCall } from "./run-call.ts";
export { runPrompt, showPromptHelp } from "./run-prompt.ts";
export { showToolHelp } from "./tool-help.ts";
