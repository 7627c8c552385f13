import { replaceUnwritable } from "../replace-unwritable.ts";

const inText: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#xD;" };
const inAttribute: Record<string, string> = { ...inText, '"': "&quot;", "\t": "&#x9;", "\n": "&#xA;" };

export type Attributes = Record<string, string | undefined>;
export type Markup = string;

/** An element around finished markup; nothing if it would be empty. */
export function element(name: string, attributes: Attributes, content: Markup[]): Markup[] {
  const inside = content.map((line) => `  ${line}`);
  const tag = `${name}${attributesOf(attributes)}`;
  if (inside.length > 0) return [`<${tag}>`, ...inside, `</${name}>`];
  return tag === name ? [] : [`<${tag}/>`];
}

/** An element around text; none without text. */
export function leaf(name: string, text: string | undefined, attributes: Attributes = {}): Markup[] {
  if (text === undefined) return [];
  return [
    `<${name}${attributesOf(attributes)}>${replaceUnwritable(text).replace(/[&<>\r]/g, (c) => inText[c] ?? c)}</${name}>`,
  ];
}

export function leaves(name: string, texts: string[] | undefined): Markup[] {
  return (texts ?? []).flatMap((text) => leaf(name, text));
}

/** An element around text in CDATA; the text that would end it is split. */
export function verbatim(name: string, text: string | undefined, attributes: Attributes = {}): Markup[] {
  if (text === undefined) return [];
  const content = replaceUnwritable(text).replaceAll("]]>", "]]]]><![CDATA[>");
  return [`<${name}${attributesOf(attributes)}><![CDATA[${content}]]></${name}>`];
}

function attributesOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .flatMap(([name, value]) => (value ? [` ${name}="${attributeText(value)}"`] : []))
    .join("");
}

function attributeText(text: string): string {
  return replaceUnwritable(text).replace(/[&<>"\t\n\r]/g, (character) => inAttribute[character] ?? character);
}
