import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { isTextDeeperThan } from "../../../kernel/json.ts";
import { brokenFile } from "../errors.ts";
import { requireMerged } from "./merge-conflict.ts";
import { lineAt } from "./splice.ts";

/** A configuration file in JSON, with the comments and trailing commas that editors allow. */
export type JsonDocument = { file: string; text: string; root: Node | undefined };

/** No client's settings are deeper; comparing what is deeper than a thousand levels would end in an error of its own. */
const maxDepth = 500;

const fixIt = "Fix it there, then run the command again.";

export function parseJson(file: string, text: string): JsonDocument {
  const errors: ParseError[] = [];
  const root = parse(file, text, errors);
  const [first] = errors;
  if (!first) {
    if (root && root.type !== "object")
      throw brokenFile(file, lineAt(text, root.offset), "an object was expected", fixIt);
    return { file, text, root };
  }
  requireMerged(file, text);
  throw brokenFile(
    file,
    lineAt(text, first.offset),
    `this is not valid JSON (${printParseErrorCode(first.error)})`,
    fixIt,
  );
}

function parse(file: string, text: string, errors: ParseError[]): Node | undefined {
  try {
    if (!isTextDeeperThan(text, maxDepth))
      return parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch (error) {
    // A quotation mark in a comment hides what is nested.
    if (!(error instanceof RangeError)) throw error;
  }
  throw brokenFile(file, 1, "it is nested too deeply", fixIt);
}

export type Property = { node: Node; value: Node };

/** The property of that name; throws where it is there twice, since programs differ in which one they take. */
function propertyOf({ file, text }: JsonDocument, object: Node | undefined, name: string): Property | undefined {
  const found = (object?.children ?? []).flatMap((node) => {
    const [key, value] = node.children ?? [];
    return key?.value === name && value ? [{ node, value }] : [];
  });
  const [first, second] = found;
  if (second)
    throw brokenFile(file, lineAt(text, second.node.offset), `"${name}" is there twice`, "Keep one of the two.");
  return first;
}

/** The same, where only an object makes sense. */
export function objectOf(document: JsonDocument, object: Node | undefined, name: string): Property | undefined {
  const found = propertyOf(document, object, name);
  if (!found || found.value.type === "object") return found;
  const line = lineAt(document.text, found.value.offset);
  throw brokenFile(document.file, line, `"${name}" was expected to be an object`, fixIt);
}

export function valueIn(node: Node): unknown {
  return getNodeValue(node);
}
