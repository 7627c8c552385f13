// Made by `npm run generate` of the files in this folder.
export const tools = {
  check_for_update: async () => (await import("./check-for-update.ts")).checkForUpdate,
};
