// Made by `npm run generate` of the files in this folder.
export const tools = {
  forge_bind_check: async () => (await import("./forge-bind-check.ts")).forgeBindCheck,
  forge_verify_ticket: async () => (await import("./forge-verify-ticket.ts")).forgeVerifyTicket,
  record_look: async () => (await import("./record-look.ts")).recordLook,
  show_proof: async () => (await import("./show-proof.ts")).showProof,
  unbind_check: async () => (await import("./unbind-check.ts")).unbindCheck,
  waive_criterion: async () => (await import("./waive-criterion.ts")).waiveCriterion,
};
