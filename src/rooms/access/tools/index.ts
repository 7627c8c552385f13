// Made by `npm run generate` of the files in this folder.
export const tools = {};
