import * as z from "zod";
import { roles } from "../../../commons/people.ts";
import { allScopes } from "../model/roles.ts";

/** What does not look like an id is rejected before anything is looked up. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
export const anId = z.string().regex(idPattern, "must be an id: letters, digits, _ and - only");

export const noParams = z.object({});
export const noQuery = z.object({});
export const nothing = z.object({});
export const role = z.enum(roles);
export const aScope = z.enum(allScopes, { error: `must be one of ${allScopes.join(", ")}` });
export const date = z.string().describe("ISO 8601");
export const person = z.object({ email: z.string(), displayName: z.string() });
/** A team's short name, as in its tickets' ids. */
export const slug = z.string().regex(/^[a-z0-9-]{1,60}$/, "must be a slug: lowercase letters, digits and - only");
export const email = z.string().trim().min(3).max(254);
