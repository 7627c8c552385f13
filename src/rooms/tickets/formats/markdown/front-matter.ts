import { excerpt } from "../../../../kernel/text/excerpt.ts";
import { visibleJson } from "../../../../kernel/text/visible.ts";
import { frontMatterNotClosed, invalidFact } from "../errors.ts";
import type { FactName, Facts } from "../outline/outline.ts";
import type { Line } from "./lines.ts";

const names = [
  "id",
  "slug",
  "status",
  "type",
  "priority",
  "assignee",
  "createdAt",
  "updatedAt",
  "repository",
  "branch",
];
const isName = (name: string): name is FactName => names.includes(name);

export function writeFrontMatter(facts: Facts): string[] {
  const lines = names.flatMap((name) => {
    const value = isName(name) ? facts[name] : undefined;
    return value === undefined ? [] : [`${name}: ${visibleJson(JSON.stringify(value))}`];
  });
  return lines.length > 0 ? ["---", ...lines, "---", ""] : [];
}

/** The facts between two lines of `---` at the top, and the rest. */
export function readFrontMatter(lines: Line[], source: string): { facts: Facts; rest: Line[]; warnings: string[] } {
  if (lines[0]?.text.trimEnd() !== "---") return { facts: {}, rest: lines, warnings: [] };
  const end = lines.findIndex(({ text }, index) => index > 0 && text.trimEnd() === "---");
  if (end < 0) throw frontMatterNotClosed(lines[0], source);
  const facts: Facts = {};
  const warnings: string[] = [];
  for (const line of lines.slice(1, end)) {
    const colon = line.text.indexOf(":");
    const name = line.text.slice(0, Math.max(colon, 0)).trim();
    if (line.text.trim() === "" || line.text.startsWith("#")) continue;
    if (colon < 0 || name === "") throw invalidFact(line, source, "this line is not `name: value`", names);
    if (!isName(name)) warnings.push(`Line ${line.number}: "${excerpt(name)}" is unknown and was left out.`);
    else if (facts[name] !== undefined) throw invalidFact(line, source, `${name} is given twice`, names);
    else facts[name] = factIn(line, line.text.slice(colon + 1).trim(), source);
  }
  return { facts, rest: lines.slice(end + 1), warnings };
}

/** A JSON string, or the bare word that people write. */
function factIn(line: Line, text: string, source: string): string | undefined {
  if (!text.startsWith('"')) return text || undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string") return value || undefined;
  } catch {
    // Reported below, with the line.
  }
  throw invalidFact(line, source, "the value is not a string in double quotes", names);
}
