import fc from "fast-check";
import { expect, test } from "vitest";
import { layoutGraph } from "./layout-graph.ts";

test("a task is to the right of all it depends on", () => {
  const places = layoutGraph([
    { id: "c", needs: ["a", "b"] },
    { id: "a", needs: [] },
    { id: "b", needs: ["a"] },
  ]);
  expect(["a", "b", "c"].map((id) => places.get(id)?.layer)).toEqual([0, 1, 2]);
});

test("cycles and unknown names do not keep it from ending, and no two tasks share a place", () => {
  const ids = fc.constantFrom("a", "b", "c", "d", "e", "gone");
  const graph = fc.uniqueArray(fc.record({ id: ids, needs: fc.array(ids, { maxLength: 4 }) }), {
    selector: ({ id }) => id,
  });
  fc.assert(
    fc.property(graph, (nodes) => {
      const places = [...layoutGraph(nodes).values()].map(({ layer, row }) => `${layer} ${row}`);
      expect(places).toHaveLength(nodes.length);
      expect(new Set(places).size).toBe(nodes.length);
    }),
  );
});
