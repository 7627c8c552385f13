import { defineRoom } from "../../commons/house.ts";
import type { RegistryRouteServices } from "./server/routes.ts";
import type { RegistryServices } from "./services.ts";
import { tools } from "./tools/index.ts";

/** Agents, tools and plugins that teams share. */
export const registryRoom = defineRoom<RegistryServices, RegistryRouteServices>({
  name: "registry",
  title: "Registry",
  guidance:
    "Call fractary_forge_agent_list or fractary_forge_tool_list to find agents and tools that this team shares, before you write a new one.",
  fits: ({ has, isSet }) => {
    if (isSet("FRACTARY_CONFIG")) return { fits: true, why: "FRACTARY_CONFIG is set" };
    return has(".fractary")
      ? { fits: true, why: "there is a .fractary folder" }
      : { fits: false, why: "no .fractary folder" };
  },
  tools,
  resources: async () => (await import("./resources/resources.ts")).resources,
  commands: async () => (await import("./cli/index.ts")).commands,
  routes: async () => (await import("./server/routes.ts")).routes,
  migrations: async () => (await import("./server/schema.ts")).migrations,
  serve: async () => (await import("./server/serve.ts")).serveRegistry,
  open: async () => (await import("./open.ts")).openRegistry,
});
