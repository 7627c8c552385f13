import { defineRoom } from "../../commons/house.ts";
import type { GovernanceRouteServices } from "./http/services.ts";
import type { GovernanceServices } from "./model/services.ts";
import { tools } from "./tools/index.ts";

export const governanceRoom = defineRoom<GovernanceServices, GovernanceRouteServices>({
  name: "governance",
  title: "Governance",
  guidance: "Before you change code, call forge_get_governance once and keep to the rules that it returns.",
  fits: ({ has, isSet }) => {
    const mark = ["Forge/Contracts", "forge.json", ".forge/governance"].find(has);
    if (mark !== undefined) return { fits: true, why: `the project has ${mark}` };
    if (isSet("FORGEGUARD_URL")) return { fits: true, why: "FORGEGUARD_URL is set" };
    return { fits: false, why: "no Forge/Contracts folder, forge.json or project" };
  },
  tools,
  commands: async () => (await import("./cli/index.ts")).commands,
  routes: async () => (await import("./http/routes.ts")).governanceRoutes,
  migrations: async () => (await import("./store/schema.ts")).migrations,
  open: async () => (await import("./open.ts")).openGovernance,
  serve: async () => (await import("./serve.ts")).serveGovernance,
});
