/** What all commands of governance have in common. */
export const commandFacts = {
  settings: [
    "project",
    "databaseUrl",
    "ledgerDays",
    "apiUrl",
    "token",
    "governanceLocal",
    "governanceUrl",
    "governanceRoot",
    "governanceKey",
  ],
  group: "look",
} as const;
