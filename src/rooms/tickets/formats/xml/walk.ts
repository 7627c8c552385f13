import type { Element } from "./tree.ts";

export function child(parent: Element, name: string): Element | undefined {
  return parent.children.find((element) => element.name === name);
}

export function children(parent: Element | undefined, name: string): Element[] {
  return parent?.children.filter((element) => element.name === name) ?? [];
}

/** A child's text, without surrounding white space; undefined if there is none. */
export function text(parent: Element, name: string): string | undefined {
  return child(parent, name)?.text.trim() || undefined;
}

export function texts(parent: Element | undefined, name: string): string[] | undefined {
  const found = children(parent, name).map((element) => element.text.trim());
  return found.length > 0 ? found : undefined;
}

/** An element of any structure: text, or an object of its children, with a list if a name is repeated. */
export function generic(element: Element | undefined): unknown {
  if (!element) return undefined;
  if (element.children.length === 0) return element.text.trim() || undefined;
  const groups = new Map<string, unknown[]>();
  for (const part of element.children) {
    const group = groups.get(part.name) ?? [];
    group.push(generic(part) ?? "");
    groups.set(part.name, group);
  }
  return Object.fromEntries([...groups].map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}
