import * as z from "zod";
import { name, path, text } from "./schemas.ts";

/** What every command that changes files takes. */
export const changeOptions = {
  force: z.boolean().default(false).describe("Replace an existing file"),
  dryRun: z.boolean().default(false).describe("Change nothing; show what would be written"),
};

export const newDefinition = {
  name,
  description: z.string().min(1).max(2000).optional().describe("What it is for"),
  extends: name.optional().describe("A definition to build on"),
  tags: z.array(z.string().min(1).max(100)).max(50).optional().describe("Tags"),
};

export const created = z.object({ name, path, dryRun: z.boolean(), text });

export const configChange = z.object({ path, dryRun: z.boolean(), text });

export const configScope = {
  global: z.boolean().default(false).describe("Change your own configuration, not the project's"),
  dryRun: z.boolean().default(false).describe("Change nothing; show what would be written"),
};
