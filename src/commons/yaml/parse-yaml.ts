import {
  Composer,
  type CST,
  type Document,
  isNode,
  isScalar,
  LineCounter,
  type Pair,
  Parser,
  visit,
  type YAMLError,
} from "yaml";
import { requireShallow } from "./require-shallow.ts";

/** What is wrong with a text that should be YAML. The message never quotes the text, which may hold anything. */
export class YamlFault extends Error {
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.name = "YamlFault";
    this.line = line;
  }
}

export type ParsedYaml = {
  value: unknown;
  /** The line of a field, counted from 1; undefined where the text has no such field. */
  lineOf(path: readonly (string | number)[]): number | undefined;
};

export type YamlLimits = {
  /** Default: 256 KiB. */
  maxBytes?: number;
  /** By `countYamlValues`; default: 20,000. */
  maxValues?: number;
  /** Lines before the text in its file. */
  lineOffset?: number;
};

const defaultMaxBytes = 262_144;
const defaultMaxValues = 20_000;
/** Far more than people write; the parser needs time and stack for each. */
const maxOpenBrackets = 200;
const maxAliases = 100;

const words: Partial<Record<YAMLError["code"], string>> = {
  BAD_ALIAS: "an alias is not valid",
  BAD_INDENT: "the indentation is wrong",
  BAD_SCALAR_START: "a value starts with a character that must be quoted",
  BLOCK_AS_IMPLICIT_KEY: "a value contains a colon and must be quoted",
  BLOCK_IN_FLOW: "a block is inside brackets",
  DUPLICATE_KEY: "a key appears twice",
  MISSING_CHAR: "a closing quote, bracket or colon is missing",
  MULTILINE_IMPLICIT_KEY: "a key spans several lines; a colon may be missing",
  MULTIPLE_DOCS: "there is more than one document",
  RESOURCE_EXHAUSTION: "it is nested too deeply",
  TAB_AS_INDENT: "a tab is used for indentation",
  TAG_RESOLVE_FAILED: "a tag is not allowed",
};

/** Parses YAML that anyone may have written: bounded in size, depth and aliases; tags and warnings count as faults. */
export function parseYaml(text: string, limits: YamlLimits = {}): ParsedYaml {
  const { document, lines } = parseYamlDocument(text, limits);
  const { lineOffset = 0 } = limits;
  return {
    value: plainValue(document),
    lineOf(path) {
      const node = document.getIn(path, true);
      return isNode(node) && node.range ? lines.linePos(node.range[0]).line + lineOffset : undefined;
    },
  };
}

/** The same as a document whose comments and order survive a change. */
export function parseYamlDocument(text: string, limits: YamlLimits = {}): { document: Document; lines: LineCounter } {
  const { maxBytes = defaultMaxBytes, maxValues = defaultMaxValues, lineOffset = 0 } = limits;
  if (Buffer.byteLength(text) > maxBytes) throw new YamlFault(`the YAML is larger than ${maxBytes} bytes`);
  if (isNestedTooDeeply(text)) throw new YamlFault("it is nested too deeply");
  if (countYamlValues(text) > maxValues) throw new YamlFault(`it has more than ${maxValues} values`);
  const lines = new LineCounter();
  const document = parseSafely(text, lines);
  const [fault] = [...document.errors, ...document.warnings];
  if (fault)
    throw new YamlFault(words[fault.code] ?? "it is not valid YAML", lines.linePos(fault.pos[0]).line + lineOffset);
  const twice = findDuplicateKey(document);
  if (twice !== undefined) throw new YamlFault(words.DUPLICATE_KEY ?? "", lines.linePos(twice).line + lineOffset);
  return { document, lines };
}

function parseSafely(text: string, lineCounter: LineCounter): Document {
  try {
    // The parser's own check of keys compares each with all before it: a minute for a file of 50,000.
    const options = { uniqueKeys: false, prettyErrors: false, logLevel: "silent", version: "1.2" } as const;
    const tokens = new Parser(lineCounter.addNewLine).parse(text);
    const [document] = new Composer(options).compose(requireShallow(untilFault(tokens)), true, text.length);
    if (document) return document;
  } catch {
    // Said below.
  }
  throw new YamlFault("it is nested too deeply");
}

/** One fault is enough: a text can have one for each of its characters, and each takes long. */
function* untilFault(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    yield token;
    if (token.type === "error") return;
  }
}

/** Where a key of one mapping is written again. */
function findDuplicateKey(document: Document): number | undefined {
  let place: number | undefined;
  visit(document, {
    Map(_at, { items }) {
      const repeated = findRepeated(items);
      if (!repeated) return undefined;
      place = isNode(repeated.key) ? repeated.key.range?.[0] : undefined;
      place ??= 0;
      return visit.BREAK;
    },
  });
  return place;
}

function findRepeated(pairs: readonly Pair[]): Pair | undefined {
  const seen = new Set<unknown>();
  return pairs.find(({ key }) => {
    if (!isScalar(key)) return false;
    const isKnown = seen.has(key.value);
    seen.add(key.value);
    return isKnown;
  });
}

function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases });
  } catch {
    throw new YamlFault("it uses too many aliases, or a broken one");
  }
}

/**
 * How many values YAML has at most, by what separates or begins them, in faulty YAML too. The parser takes a second for 50,000, in
 * which a server does nothing else.
 */
export function countYamlValues(text: string): number {
  let count = 1;
  for (const _ of text.matchAll(/[\n\r,:[\]{}&*!"']|[-?](?=\s)/g)) count++;
  return count;
}

/** Opening brackets that are not closed, and dashes one after another: cheaper to count than to parse. */
function isNestedTooDeeply(text: string): boolean {
  let open = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x5b || code === 0x7b) open++;
    else if ((code === 0x5d || code === 0x7d) && open > 0) open--;
    if (open > maxOpenBrackets) return true;
  }
  return /(?:^|\n)[ ]*(?:[-?] ){50}/.test(text);
}
