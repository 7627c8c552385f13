import type { OfferedTool } from "../../../commons/cli/app.ts";
import {
  definitions,
  exampleLines,
  sections,
  type Term,
  usageLines,
  widthFor,
} from "../../../commons/cli/print/help-layout.ts";
import type { Output } from "../../../kernel/definitions/command.ts";
import { plain, wrapText } from "../../../platform/terminal/text.ts";
import { exampleCall, expectationOf, wordFor } from "./describe.ts";
import { type Property, propertiesOf } from "./shape.ts";

const ways: Term[] = [
  ["KEY=VALUE", "Read as the argument's type: text, a number, true or false."],
  ["KEY=A,B", "A list; the key may also be given several times."],
  ["KEY.INNER=VALUE", "A part of an object."],
  ["KEY:=JSON", "Any value, as JSON: options:='{\"x\":1}', tags:='[\"a,b\"]', note:=null."],
  ["--input FILE", "All arguments as one JSON object; - reads standard input."],
];

/** `forge call TOOL --help`, all of it from the tool's definition. */
export function showToolHelp(tool: OfferedTool, out: Output): void {
  out.data(tool, () => toolHelp(tool, out));
}

function toolHelp({ name, title, description, inputSchema, annotations }: OfferedTool, place: Output): string {
  const properties = propertiesOf(inputSchema);
  const width = widthFor(place);
  return sections([
    wrapText(`${title}.`, width),
    usageLines(`forge call ${name}`, properties.map(usageWord), width),
    ...description.split("\n").map((paragraph) => wrapText(paragraph, width)),
    wrapText(effectOf(annotations), width),
    definitions("Arguments:", properties.map(argumentTerm), place),
    properties.length > 0 ? definitions("How to write arguments:", ways, place) : [],
    exampleLines([[exampleCall({ by: "call", name }, properties), "The result is printed as JSON."]], place),
  ]);
}

function usageWord(property: Property): string {
  return property.required ? wordFor(property) : `[${wordFor(property)}]`;
}

function argumentTerm({ name, required, help, shape, fallback }: Property): Term {
  const expectation = `${capital(expectationOf(shape))}${required ? ", required" : ""}.`;
  const usual = fallback === undefined ? "" : ` Default: ${plain(JSON.stringify(fallback))}.`;
  return [name, `${sentence(help)}${expectation}${usual}`];
}

function sentence(text: string): string {
  if (text === "") return "";
  return /[.!?]$/.test(text) ? `${text} ` : `${text}. `;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function effectOf({ readOnlyHint, destructiveHint }: OfferedTool["annotations"]): string {
  if (readOnlyHint) return "This tool only reads.";
  return destructiveHint ? "This tool makes changes, and may replace or remove things." : "This tool makes changes.";
}
