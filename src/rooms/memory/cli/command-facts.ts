/** What the commands of this room have in common. */
export const commandFacts = {
  settings: [
    "project",
    "databaseUrl",
    "ledgerDays",
    "embeddingsUrl",
    "embeddingsModel",
    "embeddingsKey",
    "qdrantUrl",
    "qdrantKey",
    "pgvectorUrl",
  ],
  group: "look",
} as const;
