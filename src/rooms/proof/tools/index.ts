// Made by `npm run generate` of the files in this folder.
export const tools = {
  forge_bind_check: async () => (await import("./forge-bind-check.ts")).forgeBindCheck,
  forge_verify_ticket: async () => (await import("./forge-verify-ticket.ts")).forgeVerifyTicket,
  make_receipt: async () => (await import("./make-receipt.ts")).makeReceipt,
  note_receipt: async () => (await import("./note-receipt.ts")).noteReceipt,
  record_look: async () => (await import("./record-look.ts")).recordLook,
  report_proof: async () => (await import("./report-proof.ts")).reportProof,
  set_team_policy: async () => (await import("./set-team-policy.ts")).setTeamPolicy,
  show_proof: async () => (await import("./show-proof.ts")).showProof,
  trust_receipt_key: async () => (await import("./trust-receipt-key.ts")).trustReceiptKey,
  unbind_check: async () => (await import("./unbind-check.ts")).unbindCheck,
  verify_receipt: async () => (await import("./verify-receipt.ts")).verifyReceipt,
  waive_criterion: async () => (await import("./waive-criterion.ts")).waiveCriterion,
};
