import { describeToolset } from "../hosts/mcp/catalog.ts";
import type { Catalog } from "../hosts/mcp/surface.ts";
import { toolsets } from "./toolsets.ts";

/** The lists as clients see them. The build puts the finished data in this module's place, so that starting costs no zod. */
export const catalog: Catalog = toolsets.map(describeToolset);
