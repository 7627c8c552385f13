import * as z from "zod";
import { defineTool } from "../../../../kernel/definitions/tool.ts";
import { noteForeign } from "../../model/foreign.ts";
import { kind, name, path, version } from "../../model/schemas.ts";
import type { RegistryServices } from "../../services.ts";

export const fractaryForgeForkList = defineTool({
  name: "fractary_forge_fork_list",
  title: "List forks",
  description: "List the agents and tools in this project that were copied from an upstream.",
  effect: "read",
  untrusted: "repository",
  input: z.object({ type: z.enum(["agent", "tool", "all"]).default("all") }),
  output: z.object({
    forks: z
      .array(
        z.object({
          name,
          type: kind,
          upstream: z.object({ name, version }),
          localVersion: version,
          path,
          hasUpstreamUpdate: z.boolean(),
        }),
      )
      .max(50_000),
    total: z.int().min(0),
  }),
  async run({ library }: RegistryServices, { type }, call) {
    const found = await library.open().forks.list(type, call.signal);
    // An installed package can say of itself that it is a fork, and of what.
    await noteForeign(
      call,
      found.forks.map(({ path }) => ({ source: "local", path })),
    );
    return found;
  },
});
