import type { Style } from "../../kernel/definitions/command.ts";
import { plainLines } from "./text.ts";

const codes: Record<keyof Style, [on: number, off: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

const esc = "\x1b";
const sequence = (code: number) => `${esc}[${code}m`;

function paint([on, off]: [on: number, off: number]): (text: string) => string {
  return (text) => (text === "" ? "" : `${sequence(on)}${text}${sequence(off)}`);
}

const same = (text: string) => text;

export const noStyle: Style = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

export const colourStyle: Style = {
  bold: paint(codes.bold),
  dim: paint(codes.dim),
  red: paint(codes.red),
  green: paint(codes.green),
  yellow: paint(codes.yellow),
  cyan: paint(codes.cyan),
};

const own = new RegExp(`(${esc}\\[(?:${Object.values(codes).flat().join("|")})m)`);

/** The last gate before a stream: nothing but our own colours, and those only where colours are on, stays an escape sequence. */
export function stripEscapes(text: string, style: Style): string {
  if (style === noStyle) return plainLines(text);
  return text
    .split(own)
    .map((part, index) => (index % 2 === 1 ? part : plainLines(part)))
    .join("");
}

type ColourFacts = {
  setting: "auto" | "always" | "never";
  isTTY: boolean;
  term: string | undefined;
};

export function styleFor({ setting, isTTY, term }: ColourFacts): Style {
  const colours = setting === "always" || (setting === "auto" && isTTY && term !== "dumb");
  return colours ? colourStyle : noStyle;
}
