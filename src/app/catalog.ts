import { describeToolset } from "../hosts/mcp/catalog.ts";
import type { Catalog } from "../hosts/mcp/lists.ts";
import { loadToolset } from "../kernel/toolset.ts";
import { rooms } from "../rooms.ts";

/** The lists as clients see them. The build puts the finished data in this module's place, so that starting costs no zod. */
export const catalog: Catalog = (await Promise.all(rooms.map((room) => loadToolset(room)))).map((toolset) =>
  describeToolset(toolset),
);
