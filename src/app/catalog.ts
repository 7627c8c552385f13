import type { Catalog } from "../hosts/mcp/lists.ts";
import { rooms } from "../rooms.ts";
import { describeToolsets } from "./describe-rooms.ts";

/** The lists as clients see them. The build puts the finished data in this module's place, so that starting costs no zod. */
export const catalog: Catalog = await describeToolsets(rooms);
