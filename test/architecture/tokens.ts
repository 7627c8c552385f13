import { type Catalog, estimateTokens, makeLists } from "../../src/hosts/mcp/lists/lists.ts";

const maxOnAverage = 150;
const maxEach = 350;
const maxFirstTools = 25;
const maxFirstTokens = 3_500;
/** Toolsets that a server of their own lists in full. */
const maxTokensOf: Record<string, number> = { registry: 2_400 };

/** What the lists cost: each tool, those of a toolset on average, and what a client is shown first in a project where every toolset fits. */
export function tokenBreaches(catalog: Catalog): string[] {
  const tools = catalog.flatMap((entry) => entry.tools);
  const toolsets = catalog.map(({ name }) => name);
  const first = makeLists(catalog, { serverName: "forge", version: "", toolsets, readOnly: false, auto: true }).tools;
  const tokens = estimateTokens(first);
  return [
    ...tools.flatMap((tool) =>
      estimateTokens([tool]) > maxEach
        ? [`${tool.name} costs ${estimateTokens([tool])} tokens; at most ${maxEach}`]
        : [],
    ),
    ...catalog.flatMap(({ name, tools: own }) =>
      estimateTokens(own) > maxOnAverage * own.length
        ? [
            `a tool of ${name} costs ${Math.ceil(estimateTokens(own) / own.length)} tokens; on average at most ${maxOnAverage}`,
          ]
        : [],
    ),
    ...catalog.flatMap(({ name, tools: own }) =>
      estimateTokens(own) > (maxTokensOf[name] ?? Number.POSITIVE_INFINITY)
        ? [`the tools of ${name} cost ${estimateTokens(own)} tokens; at most ${maxTokensOf[name]}`]
        : [],
    ),
    ...(first.length > maxFirstTools ? [`the first list has ${first.length} tools; at most ${maxFirstTools}`] : []),
    ...(tokens > maxFirstTokens ? [`the first list costs ${tokens} tokens; at most ${maxFirstTokens}`] : []),
  ];
}
