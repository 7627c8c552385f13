import type { App } from "../../commons/cli/app.ts";
import type { Command } from "../../kernel/definitions/command.ts";
import type { Lazy } from "../../kernel/definitions/room.ts";

/** The commands that belong to no room, by name, in the order of the help. */
export const builtInCommands: Record<string, Lazy<Command<App>>> = {
  demo: async () => (await import("./demo/demo.ts")).demo,
  up: async () => (await import("./serve/up.ts")).up,
  mcp: async () => (await import("./serve/mcp.ts")).mcp,
  toolsets: async () => (await import("./serve/toolsets.ts")).toolsets,
  status: async () => (await import("./status.ts")).status,
  call: async () => (await import("./calls/call.ts")).call,
  prompt: async () => (await import("./calls/prompt.ts")).prompt,
  resource: async () => (await import("./calls/resource.ts")).resource,
  serve: async () => (await import("./serve/serve.ts")).serve,
  trust: async () => (await import("./trust/trust.ts")).trust,
  untrust: async () => (await import("./trust/untrust.ts")).untrust,
  approve: async () => (await import("./trust/approve.ts")).approve,
  completion: async () => (await import("./completion.ts")).completion,
  version: async () => (await import("./version.ts")).version,
  help: async () => (await import("./help.ts")).help,
  __complete: async () => (await import("./shell-complete.ts")).shellComplete,
};
