import { parseAst } from "vite";

export type Node = { type: string; [key: string]: unknown };

/** What a source reaches for, read from its syntax tree, so that strings and comments may say what they like. */
export type Reaches = {
  /** Module names in imports of every form; `undefined` where the name is made at run time. */
  imports: (string | undefined)[];
  /** Globals by how they are used: `fetch`, `process.env`, and `process.*` where the whole is handed on. */
  globals: string[];
  /** Names of programs that are started by a name written in the code. */
  programs: string[];
  /** Names that are compared with another value by an operator, which stops at the first difference. */
  compared: string[];
};

const watched = new Set([
  "process",
  "globalThis",
  "global",
  "console",
  "fetch",
  "WebSocket",
  "EventSource",
  "XMLHttpRequest",
  "eval",
  "Function",
]);

type Tree = ReturnType<typeof parseAst>;

/** Several rules look at the same sources. */
const trees = new Map<string, Tree>();

function parse(text: string): Tree {
  const tree = trees.get(text) ?? parseSource(text);
  trees.set(text, tree);
  return tree;
}

/** What is not plain TypeScript is a view of the board. */
function parseSource(text: string): Tree {
  try {
    return parseAst(text, { lang: "ts" });
  } catch {
    return parseAst(text, { lang: "tsx" });
  }
}

export function reachesOf(text: string): Reaches {
  const found: Reaches = { imports: [], globals: [], programs: [], compared: [] };
  walk(parse(text), undefined, found);
  return found;
}

function walk(value: unknown, parent: Node | undefined, found: Reaches): void {
  if (Array.isArray(value)) for (const item of value) walk(item, parent, found);
  if (!isNode(value)) return;
  note(value, parent, found);
  for (const [key, child] of Object.entries(value)) if (!isOnlyAName(value, key)) walk(child, value, found);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/** Names of members, keys and types are not uses of the global of that name. */
function isOnlyAName(node: Node, key: string): boolean {
  if (key === "property" || key === "key") return node["computed"] !== true;
  return key === "typeName" || key === "exprName" || key === "imported" || key === "exported" || key === "label";
}

function note(node: Node, parent: Node | undefined, found: Reaches): void {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
      if (node["source"]) found.imports.push(textOf(node["source"]));
      return;
    case "ImportExpression":
    case "TSImportType":
      found.imports.push(textOf(node["source"]));
      return;
    case "CallExpression":
      noteCall(node, found);
      return;
    case "BinaryExpression":
      noteComparison(node, found);
      return;
    case "Identifier":
      if (watched.has(nameOf(node))) found.globals.push(...usesOf(node, parent));
  }
}

function noteCall({ callee, arguments: given }: Node, found: Reaches): void {
  const [first] = Array.isArray(given) ? given : [];
  const name = isNode(callee) ? nameOf(isNode(callee["property"]) ? callee["property"] : callee) : "";
  if (name === "require" && isNode(callee) && callee.type === "Identifier") found.imports.push(textOf(first));
  const program = /^(run|start|spawn|exec)/.test(name) ? textOf(first) : undefined;
  if (program !== undefined) found.programs.push(program);
}

function noteComparison({ operator, left, right }: Node, found: Reaches): void {
  if (typeof operator !== "string" || !/^[!=]==?$/.test(operator)) return;
  const names = [left, right].map((side) =>
    isNode(side) ? nameOf(isNode(side["property"]) ? side["property"] : side) : "",
  );
  if (names.every((name) => name !== "" && name !== "undefined")) found.compared.push(...names);
}

function usesOf(node: Node, parent: Node | undefined): string[] {
  const name = nameOf(node);
  if (name !== "process") return [name];
  if (parent?.type === "MemberExpression" && parent["object"] === node) {
    const { property, computed } = parent;
    const member = computed === true ? textOf(property) : isNode(property) ? nameOf(property) : undefined;
    return [`process.${member ?? "*"}`];
  }
  if (parent?.type === "VariableDeclarator" && isNode(parent["id"])) return takenApart(parent["id"]);
  return ["process.*"];
}

/** `const { env, platform } = process` */
function takenApart({ type, properties }: Node): string[] {
  if (type !== "ObjectPattern" || !Array.isArray(properties)) return ["process.*"];
  return properties.map((property: Node) => `process.${isNode(property["key"]) ? nameOf(property["key"]) : "*"}`);
}

export function nameOf({ name }: Node): string {
  return typeof name === "string" ? name : "";
}

function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  const { type, value, quasis, expressions } = node;
  if (type === "Literal" && typeof value === "string") return value;
  if (type !== "TemplateLiteral" || !Array.isArray(quasis) || !Array.isArray(expressions)) return undefined;
  return expressions.length === 0 ? quasis.map(({ value: { cooked } }) => cooked).join("") : undefined;
}

/** Every node of a source. */
export function nodesOf(text: string): Node[] {
  const found: Node[] = [];
  visit(parse(text), [], (node) => found.push(node));
  return found;
}

/** A text written in a source, with the property keys and called names it stands under, innermost last. */
export type WrittenText = { value: string; keys: string[] };

export function textsOf(text: string): WrittenText[] {
  const found: WrittenText[] = [];
  visit(parse(text), [], (node, keys) => {
    const { type, value, quasis } = node;
    if (type === "Literal" && typeof value === "string") found.push({ value, keys });
    if (type === "TemplateLiteral" && Array.isArray(quasis))
      found.push({ value: quasis.map(({ value: { cooked } }) => cooked).join("…"), keys });
  });
  return found;
}

function visit(value: unknown, keys: string[], see: (node: Node, keys: string[]) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, keys, see);
  if (!isNode(value)) return;
  // Names of modules are no texts.
  if (/^(?:Import|ExportAll|ExportNamed)/.test(value.type) && value["source"]) return;
  see(value, keys);
  const key = keyOf(value);
  for (const child of Object.values(value)) visit(child, key === undefined ? keys : [...keys, key], see);
}

function keyOf({ type, key, callee }: Node): string | undefined {
  if (type === "Property" && isNode(key)) return nameOf(key) || textOf(key);
  if (type !== "CallExpression" || !isNode(callee)) return undefined;
  return nameOf(isNode(callee["property"]) ? callee["property"] : callee) || undefined;
}
