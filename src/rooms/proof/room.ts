import { defineRoom } from "../../commons/house.ts";
import type { ProofRouteServices } from "./http/services.ts";
import type { ProofServices } from "./service/proof.ts";
import { tools } from "./tools/index.ts";

export const proofRoom = defineRoom<ProofServices, ProofRouteServices>({
  name: "proof",
  title: "Proof",
  guidance:
    "A criterion counts as done when a check proves it: bind one to each with forge_bind_check, then call forge_verify_ticket. A check that also passes without the change proves nothing.",
  fits: ({ inGit }) => ({ fits: inGit, why: inGit ? "this is a git repository" : "not a git repository" }),
  tools,
  commands: async () => (await import("./cli/index.ts")).commands,
  routes: async () => (await import("./http/routes.ts")).proofRoutes,
  migrations: async () => (await import("./store/schema.ts")).migrations,
  serve: async () => (await import("./serve.ts")).serveProof,
  open: async () => (await import("./open.ts")).openProof,
});
