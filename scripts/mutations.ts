import { parseAst } from "vite";

/** A small change of a source: the text from `start` to `end` becomes `to`. */
export type Mutant = { start: number; end: number; line: number; from: string; to: string };

type Node = { type: string; start: number; end: number; [key: string]: unknown };

const operators: Record<string, string> = {
  "&&": "||",
  "||": "&&",
  "??": "&&",
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "+": "-",
  "-": "+",
};

/** All small changes to a source: other operators, other booleans, inverted conditions. */
export function mutantsOf(text: string): Mutant[] {
  const found: Mutant[] = [];
  const add = (start: number, end: number, to: string) => {
    const line = text.slice(0, start).split("\n").length;
    found.push({ start, end, line, from: text.slice(start, end).replaceAll(/\s+/g, " ").slice(0, 60), to });
  };
  visit(parseAst(text, { lang: "ts" }), (node) => {
    const { type, start, end, operator, left, right, value, test } = node;
    if (/^(?:Logical|Binary)Expression$/.test(type) && typeof operator === "string" && isNode(left) && isNode(right)) {
      const other = operators[operator];
      const at = text.indexOf(operator, left.end);
      // + on text is not arithmetic.
      const isText = operator === "+" && [left, right].some((side) => /Literal$/.test(side.type));
      if (other !== undefined && !isText && at >= 0 && at < right.start) add(at, at + operator.length, other);
    }
    if (type === "Literal" && typeof value === "boolean") add(start, end, String(!value));
    if (/^(?:If|Conditional)/.test(type) && isNode(test))
      add(test.start, test.end, `!(${text.slice(test.start, test.end)})`);
  });
  return found;
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see);
  if (!isNode(value)) return;
  if (value.type.startsWith("TS") || value.type === "ImportDeclaration") return;
  see(value);
  for (const child of Object.values(value)) visit(child, see);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
