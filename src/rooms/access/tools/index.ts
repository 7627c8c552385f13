// Made by `npm run generate` of the files in this folder.
export const tools = {
  create_invite: async () => (await import("./create-invite.ts")).createInvite,
  create_reset_link: async () => (await import("./create-reset-link.ts")).createResetLink,
  create_team: async () => (await import("./create-team.ts")).createTeam,
  create_token: async () => (await import("./create-token.ts")).createToken,
  list_audit: async () => (await import("./list-audit.ts")).listAudit,
  list_team_ledger: async () => (await import("./list-team-ledger.ts")).listTeamLedger,
  list_teams: async () => (await import("./list-teams.ts")).listTeams,
  list_tokens: async () => (await import("./list-tokens.ts")).listTokens,
  revoke_token: async () => (await import("./revoke-token.ts")).revokeToken,
  whoami: async () => (await import("./whoami.ts")).whoami,
};
