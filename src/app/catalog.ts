import type { Catalog } from "../hosts/mcp/lists/lists.ts";
import { rooms } from "../rooms.ts";
import { describeToolsets } from "./describe-rooms.ts";

/** The lists as clients see them. */
export const catalog: Catalog = await describeToolsets(rooms);

/** The build puts the finished data in this module's place, as text: most commands do not need it. */
export const readCatalog = (): Catalog => catalog;
