import * as z from "zod";
import { defineTool } from "../../../kernel/definitions/tool.ts";
import { auditSchema } from "../model/schemas.ts";
import type { AccessServices } from "../services.ts";

export const listAudit = defineTool({
  name: "list_audit",
  title: "Show the audit log",
  description:
    "Show the team's audit log: sign-ins and changes of rights, oldest first, and whether the log is intact. Only admins can.",
  effect: "fetch",
  surfaces: ["cli"],
  input: z.object({
    limit: z.int().min(1).max(1_000).default(100).describe("Number of entries"),
    server: z.boolean().default(false).describe("The server's own log, for admins of its first team"),
  }),
  output: auditSchema,
  run: async ({ login }: AccessServices, asked, { signal }) => (await login.account()).listAudit(asked, signal),
});
