import type { Source } from "./plan.ts";
import { type Node, nameOf, nodesOf } from "./syntax.ts";

/** Interfaces that fewer than two classes implement: the class's own type says the same. */
export function interfaceBreaches(sources: Source[]): string[] {
  const declared = new Map<string, string>();
  const children = new Map<string, string[]>();
  for (const { path, text } of sources) {
    for (const node of nodesOf(text)) {
      if (node.type === "TSInterfaceDeclaration") declared.set(nameOf(node["id"] as Node), path);
      for (const parent of parentsOf(node))
        children.set(parent, [...(children.get(parent) ?? []), nameOf(node["id"] as Node)]);
    }
  }
  /** What implements a wider interface implements this one too. */
  const countClasses = (name: string): number =>
    (children.get(name) ?? []).reduce((sum, child) => sum + (declared.has(child) ? countClasses(child) : 1), 0);
  return [...declared].flatMap(([name, path]) => {
    const classes = countClasses(name);
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
