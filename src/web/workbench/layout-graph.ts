export type GraphNode = { id: string; needs: string[] };
export type Place = { layer: number; row: number };

const sweeps = 4;

/**
 * Layers by the longest way, and within each the order of its neighbours' average, four times over. Good enough for tasks, and
 * a thousand times quicker than a general layout library.
 */
export function layoutGraph(nodes: readonly GraphNode[]): Map<string, Place> {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const layers = new Map<string, number>();
  const layerOf = (id: string, path: ReadonlySet<string>): number => {
    const found = layers.get(id);
    if (found !== undefined) return found;
    // A cycle is cut where it is met.
    const needs = (known.get(id)?.needs ?? []).filter((need) => known.has(need) && !path.has(need));
    const layer = Math.max(-1, ...needs.map((need) => layerOf(need, new Set([...path, id])))) + 1;
    layers.set(id, layer);
    return layer;
  };
  for (const { id } of nodes) layerOf(id, new Set([id]));
  // A cycle that was cut may leave a layer empty.
  const rows = Array.from({ length: Math.max(-1, ...layers.values()) + 1 }, (): string[] => []);
  for (const { id } of nodes) rows[layers.get(id) ?? 0]?.push(id);
  const neighbours = neighboursOf(nodes, known);
  for (let sweep = 0; sweep < sweeps; sweep++) sortLayers(rows, neighbours);
  return new Map(rows.flatMap((ids, layer) => ids.map((id, row): [string, Place] => [id, { layer, row }])));
}

function neighboursOf(nodes: readonly GraphNode[], known: ReadonlyMap<string, GraphNode>): Map<string, string[]> {
  const found = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { id, needs } of nodes) {
    for (const need of needs.filter((each) => known.has(each))) {
      found.get(id)?.push(need);
      found.get(need)?.push(id);
    }
  }
  return found;
}

function sortLayers(rows: string[][], neighbours: ReadonlyMap<string, string[]>): void {
  const place = new Map(rows.flatMap((ids) => ids.map((id, row): [string, number] => [id, row])));
  for (const ids of rows) {
    const middle = new Map(
      ids.map((id) => {
        const near = (neighbours.get(id) ?? []).map((each) => place.get(each) ?? 0);
        return [id, near.length === 0 ? (place.get(id) ?? 0) : near.reduce((sum, row) => sum + row, 0) / near.length];
      }),
    );
    ids.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
    for (const [row, id] of ids.entries()) place.set(id, row);
  }
}
