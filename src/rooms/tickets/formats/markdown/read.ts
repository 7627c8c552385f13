import { excerpt } from "../../../../kernel/text/excerpt.ts";
import { titleMissing } from "../errors.ts";
import type { Homes } from "../outline/homes.ts";
import type { Outline } from "../outline/outline.ts";
import { readFrontMatter } from "./front-matter.ts";
import { headingOf, nameIn, type SectionName, sections } from "./headings.ts";
import { bodyText, isBlank, type Line, markdownLines } from "./lines.ts";
import { listItems } from "./lists.ts";
import { readCriteria, readProblem, readScope, readSolution, readTests } from "./read-sections.ts";
import { readApi, readFiles } from "./read-tables.ts";
import { remainderStart } from "./write.ts";

export type Markdown = { lines: Line[]; remainder: string | undefined };

/** The lines of a file, and separately the comment with the remainder, also if people put text around it. */
export function splitMarkdown(text: string): Markdown {
  const lines = markdownLines(text.replace(/\r\n?/g, "\n").split("\n"));
  const start = lines.findLastIndex((line) => !line.fenced && line.text.startsWith(remainderStart.trimEnd()));
  if (start < 0) return { lines, remainder: undefined };
  const closing = lines.findIndex((line, index) => index >= start && line.text.includes("-->"));
  const end = closing < 0 ? start : closing;
  const comment = lines.slice(start, end + 1).map((line) => line.text);
  const remainder = comment.join("").slice(remainderStart.length).replace("-->", "").trim();
  return { lines: lines.toSpliced(start, end - start + 1), remainder };
}

/** A ticket from Markdown, written by Forge or by hand. Text in no known section becomes part of the description. */
export function readMarkdown(
  lines: Line[],
  known: Homes,
  source: string,
): { outline: Outline; homes: Homes; warnings: string[] } {
  const { facts, rest, warnings } = readFrontMatter(withoutLeadingComments(lines), source);
  const titleAt = rest.findIndex((line) => !line.fenced && headingOf(line.text, 1) !== undefined);
  const title = headingOf(rest[titleAt]?.text ?? "", 1);
  if (title === undefined)
    throw titleMissing(
      rest.find((line) => !isBlank(line)),
      source,
    );
  const { description, bodies } = splitSections([...rest.slice(0, titleAt), ...rest.slice(titleAt + 1)], warnings);
  const of = (name: SectionName) => bodies.get(name);
  const items = (name: SectionName) => nonEmpty(listItems(of(name) ?? []));
  const scope = readScope(of("scope") ?? []);
  const outline: Outline = {
    title,
    facts,
    description: bodyText(description),
    problem: readProblem(of("problem"), known.problem?.as),
    solution: readSolution(of("solution"), known.solution?.as),
    criteria: nonEmpty(readCriteria(of("criteria") ?? [])),
    files: nonEmpty(readFiles(of("files") ?? [], source)),
    api: readApi(of("api"), known.api?.as),
    dependencies: items("dependencies"),
    tests: readTests(of("tests"), known.tests?.as),
    inScope: nonEmpty([...scope.inScope, ...(items("inScope") ?? [])]),
    outOfScope: nonEmpty([...scope.outOfScope, ...(items("outOfScope") ?? [])]),
    assumptions: items("assumptions"),
    designRefs: items("designRefs"),
  };
  return { outline, homes: known, warnings };
}

/** The lines of each section; all others, with their headings, are the description. */
function splitSections(lines: Line[], warnings: string[]): { description: Line[]; bodies: Map<SectionName, Line[]> } {
  const description: Line[] = [];
  const bodies = new Map<SectionName, Line[]>();
  let target = description;
  for (const line of lines) {
    const heading = line.fenced ? undefined : headingOf(line.text, 2);
    if (heading === undefined) {
      target.push(line);
      continue;
    }
    const name = nameIn(sections, heading) ?? "description";
    if (name !== "description" && !bodies.has(name)) {
      target = [];
      bodies.set(name, target);
      continue;
    }
    if (target !== description) description.push({ text: "", number: line.number, fenced: false });
    if (heading.toLowerCase() !== "description") description.push(line);
    if (name !== "description")
      warnings.push(`Line ${line.number}: a second "${excerpt(heading)}" section was moved to the description.`);
    target = description;
  }
  return { description, bodies };
}

/** A note to the person who edits can come before everything else. */
function withoutLeadingComments(lines: Line[]): Line[] {
  let inComment = false;
  const start = lines.findIndex((line) => {
    inComment ||= line.text.startsWith("<!--");
    const isText = !inComment && !isBlank(line);
    if (line.text.includes("-->")) inComment = false;
    return isText;
  });
  return start < 0 ? [] : lines.slice(start);
}

function nonEmpty<T>(values: T[]): T[] | undefined {
  return values.length > 0 ? values : undefined;
}
