import { SaxesParser } from "saxes";

export type XmlNode = { name: string; attributes: Record<string, string>; text: string; children: XmlNode[] };

/** Parses a document strictly; throws if it is not well-formed. `text` is the node's own. */
export function parseXml(document: string): XmlNode {
  const top: XmlNode = { name: "", attributes: {}, text: "", children: [] };
  const open = [top];
  const current = () => open.at(-1) ?? top;
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const node: XmlNode = { name, attributes: { ...attributes }, text: "", children: [] };
    current().children.push(node);
    open.push(node);
  });
  parser.on("text", (text) => {
    current().text += text;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(document).close();
  const [root] = top.children;
  if (!root || top.children.length > 1) throw new Error("one root was expected");
  return root;
}

/** The only descendant at this path of names; throws if one is missing or not unique. */
export function childAt(node: XmlNode, ...names: string[]): XmlNode {
  return names.reduce((parent, name) => {
    const [found, ...others] = parent.children.filter((child) => child.name === name);
    if (!found || others.length > 0) throw new Error(`${others.length + (found ? 1 : 0)} ${name} in ${parent.name}`);
    return found;
  }, node);
}
