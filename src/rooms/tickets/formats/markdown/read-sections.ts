import { compact } from "../outline/loose.ts";
import type { OutlineCriterion, Problem, Solution, Step, Test, Tests } from "../outline/outline.ts";
import { headingOf, parts, splitParts } from "./headings.ts";
import { bodyText, type Line } from "./lines.ts";
import { listItems } from "./lists.ts";

/** How the document has this part; undefined if only the section itself tells. */
type Form = "text" | "parts" | undefined;

export function readProblem(lines: Line[] | undefined, form: Form): string | Problem | undefined {
  if (!lines) return undefined;
  const { lead, parts: found } = splitParts(lines, parts.problem);
  if (form === "text" || (form === undefined && found.size === 0)) return bodyText(lines);
  return compact({
    narrative: bodyText(lead),
    whyItMatters: bodyText(found.get("whyItMatters") ?? []),
    context: bodyText(found.get("context") ?? []),
    assumptions: itemsOf(found.get("assumptions")),
    constraints: itemsOf(found.get("constraints")),
  });
}

export function readSolution(lines: Line[] | undefined, form: Form): string | Solution | undefined {
  if (!lines) return undefined;
  const { lead, parts: found } = splitParts(lines, parts.solution);
  if (form === "text" || (form === undefined && found.size === 0)) return bodyText(lines);
  return compact({ overview: bodyText(lead), steps: itemsOf(found.get("steps"))?.map(step) });
}

function step(item: string): Step {
  const at = item.lastIndexOf("\nFile: ");
  const file = at < 0 ? "" : item.slice(at + "\nFile: ".length);
  if (file === "" || file.includes("\n")) return { description: item || undefined };
  return { description: item.slice(0, at) || undefined, file };
}

/** One heading each, or the items of a list. */
export function readCriteria(lines: Line[]): OutlineCriterion[] {
  const headings = lines.flatMap((line, index) =>
    !line.fenced && headingOf(line.text, 3) !== undefined ? [index] : [],
  );
  const lead = listItems(lines.slice(0, headings[0] ?? lines.length)).map((text) => ({ text }));
  const blocks = headings.map((start, index) => criterion(lines.slice(start, headings[index + 1] ?? lines.length)));
  return [...lead, ...blocks];
}

const criterionId = /^[A-Za-z]{1,10}-\d{1,9}$/;
const said = /^\*\*(Given|When|Then|Notes):?\*\*:?[ \t]*/i;

function criterion([first, ...rest]: Line[]): OutlineCriterion {
  const heading = headingOf(first?.text ?? "", 3) ?? "";
  const isId = criterionId.test(heading);
  const start = rest.findIndex((line) => !line.fenced && /^[-*+] \*\*/.test(line.text));
  const [before, list] = start < 0 ? [rest, []] : [rest.slice(0, start), rest.slice(start)];
  const words = new Map<string, string>();
  const others: string[] = [];
  for (const item of listItems(list)) {
    const word = item.match(said);
    if (word?.[1] === undefined || words.has(word[1].toLowerCase())) others.push(`- ${item}`);
    else words.set(word[1].toLowerCase(), item.slice(word[0].length));
  }
  const texts = [isId ? undefined : heading, bodyText(before), others.join("\n") || undefined];
  return {
    id: isId ? heading : undefined,
    text: texts.filter((text) => text !== undefined).join("\n\n") || undefined,
    given: words.get("given"),
    when: words.get("when"),
    outcome: words.get("then"),
    notes: words.get("notes"),
  };
}

export function readTests(lines: Line[] | undefined, form: Form): string | Tests | undefined {
  if (!lines) return undefined;
  const { lead, parts: found } = splitParts(lines, parts.tests);
  if (form === "text" || (form === undefined && found.size === 0)) return bodyText(lines);
  return compact({
    summary: bodyText(lead),
    unitTests: itemsOf(found.get("unitTests"))?.map(test),
    integrationTests: itemsOf(found.get("integrationTests"))?.map(test),
    edgeCases: itemsOf(found.get("edgeCases"))?.map(test),
  });
}

const testHead = /^(?:\*\*([^*]+)\*\*)?(?: ?\(`([^`]+)`\))?(?:: |$)/;

function test(item: string): Test {
  const [head, name, file] = item.match(testHead) ?? [];
  if (head === undefined || (name === undefined && file === undefined)) return { description: item };
  return { name, file, description: item.slice(head.length) || undefined };
}

export function readScope(lines: Line[]): { inScope: string[]; outOfScope: string[] } {
  const { lead, parts: found } = splitParts(lines, parts.scope);
  return {
    inScope: [...listItems(lead), ...(itemsOf(found.get("inScope")) ?? [])],
    outOfScope: itemsOf(found.get("outOfScope")) ?? [],
  };
}

function itemsOf(lines: Line[] | undefined): string[] | undefined {
  const items = listItems(lines ?? []);
  return items.length > 0 ? items : undefined;
}
