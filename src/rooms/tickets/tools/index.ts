// Made by `npm run generate` of the files in this folder.
import { getRepositoryContext } from "./get-repository-context.ts";

export const tools = [getRepositoryContext];
