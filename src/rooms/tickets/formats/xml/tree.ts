import { SaxesParser } from "saxes";
import { excerpt } from "../../../../kernel/text/excerpt.ts";
import { formatLimits, unreadable } from "../errors.ts";

export type Element = {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  /** Its own text, without that of its children. */
  text: string;
  line: number;
};

/** The root element of well-formed XML. A DOCTYPE is rejected, so that no entity can expand or load anything. */
export function parseXml(text: string, source: string): Element {
  const parser = new SaxesParser();
  const open: Element[] = [];
  let root: Element | undefined;
  let count = 0;

  const refuse = (what: string, expected: string, next = "Correct the XML at that place and import it again.") => {
    const name = open.at(-1)?.name;
    return unreadable({
      source,
      at: { line: parser.line, column: parser.column + 1 },
      what: name === undefined ? what : `${what} (in <${excerpt(name)}>)`,
      expected,
      next,
      details: name === undefined ? {} : { element: excerpt(name) },
    });
  };

  parser.on("error", ({ message }) => {
    throw refuse(`this is not well-formed XML: ${excerpt(withoutPlace(message))}`, "well-formed XML 1.0");
  });
  parser.on("doctype", () => {
    throw refuse("a DOCTYPE is not accepted", "XML without a DOCTYPE and without its own entities", withoutDoctype);
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: "", line: parser.line };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
    if (open.length > formatLimits.depth)
      throw refuse(`it is nested deeper than ${formatLimits.depth} levels`, `at most ${formatLimits.depth}`);
    count++;
    if (count > formatLimits.parts) throw refuse("it contains too many elements", `at most ${formatLimits.parts}`);
  });
  parser.on("closetag", () => {
    open.pop();
  });
  const add = (piece: string) => {
    const element = open.at(-1);
    if (element) element.text += piece;
  };
  parser.on("text", add);
  parser.on("cdata", add);
  parser.write(text).close();
  if (root) return root;
  throw refuse("there is no element", "a <ticket> element");
}

const withoutDoctype = "Remove the <!DOCTYPE …>, replace its entities by their text, then import it again.";

/** The parser puts the position first: `6:12: undefined entity.` */
function withoutPlace(message: string): string {
  const words = message.split(" ");
  return (words[0]?.endsWith(":") ? words.slice(1) : words).join(" ").replace(/\.$/, "");
}
