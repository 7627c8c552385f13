import type { Source } from "./plan.ts";
import { type Node, nameOf, nodesOf } from "./syntax.ts";

/** Interfaces that fewer than two classes implement: the class's own type says the same. */
export function interfaceBreaches(sources: Source[]): string[] {
  const declared = new Map<string, string>();
  const implemented = new Map<string, number>();
  for (const { path, text } of sources) {
    for (const node of nodesOf(text)) {
      if (node.type === "TSInterfaceDeclaration") declared.set(nameOf(node["id"] as Node), path);
      // A wider interface is as good as its own implementations.
      for (const parent of parentsOf(node)) implemented.set(parent, (implemented.get(parent) ?? 0) + 1);
    }
  }
  return [...declared].flatMap(([name, path]) => {
    const classes = implemented.get(name) ?? 0;
    return classes >= 2 ? [] : [`${path}: interface ${name} has ${classes} implementation${classes === 1 ? "" : "s"}`];
  });
}

function parentsOf(node: Node): string[] {
  const parents =
    node.type === "ClassDeclaration"
      ? node["implements"]
      : node.type === "TSInterfaceDeclaration"
        ? node["extends"]
        : [];
  return (Array.isArray(parents) ? parents : []).map(({ expression }: { expression: Node }) => nameOf(expression));
}
