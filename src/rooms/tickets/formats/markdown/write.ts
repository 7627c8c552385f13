import { isRecord } from "../../../../kernel/json.ts";
import { areLayered } from "../outline/files.ts";
import { type FileLine, layers, type Outline, type OutlineCriterion, type Test } from "../outline/outline.ts";
import { replaceUnwritable } from "../replace-unwritable.ts";
import { writeFrontMatter } from "./front-matter.ts";
import { headingOf, isSectionHeading, nameIn, parts, sections } from "./headings.ts";
import { asBody } from "./lines.ts";
import { bulletList, numberedList } from "./lists.ts";
import { table } from "./tables.ts";

/** The start of the comment with what the Markdown cannot show. */
export const remainderStart = "<!-- forge:remainder ";

export function writeMarkdown(ticket: Outline, remainder: string | undefined): string {
  const outline = withCleanTexts(ticket);
  const blocks = [
    `# ${oneLine(outline.title ?? "(untitled)")}`,
    outline.description && body(outline.description),
    section(sections.problem[0], problem(outline)),
    section(sections.solution[0], solution(outline)),
    section(sections.criteria[0], criteria(outline.criteria)),
    section(sections.files[0], files(outline.files)),
    section(sections.api[0], api(outline)),
    section(sections.dependencies[0], list(outline.dependencies)),
    section(sections.tests[0], tests(outline)),
    section(sections.scope[0], [
      ...part(parts.scope.inScope[0], list(outline.inScope)),
      ...part(parts.scope.outOfScope[0], list(outline.outOfScope)),
    ]),
    section(sections.assumptions[0], list(outline.assumptions)),
    section(sections.designRefs[0], list(outline.designRefs)),
  ];
  const visible = blocks.filter(Boolean).join("\n\n");
  const hidden = remainder === undefined ? "" : `\n${remainderStart}${remainder} -->\n`;
  return `${[...writeFrontMatter(ticket.facts), visible].join("\n")}\n${hidden}`;
}

function section(heading: string, content: string[]): string | undefined {
  return content.length > 0 ? [`## ${heading}`, ...content].join("\n\n") : undefined;
}

function part(heading: string, content: string[]): string[] {
  return content.length > 0 ? [`### ${heading}`, ...content] : [];
}

function body(text: string, isPart: (line: string) => boolean = () => false): string {
  return asBody(text.trim(), (line) => isSectionHeading(line) || isPart(line));
}

function optional(text: string | undefined, names: Record<string, readonly string[]>): string[] {
  return text === undefined ? [] : [body(text, (line) => nameIn(names, headingOf(line, 3) ?? "") !== undefined)];
}

function list(texts: string[] | undefined): string[] {
  return texts ? [bulletList(texts)] : [];
}

function problem({ problem }: Outline): string[] {
  if (problem === undefined) return [];
  if (typeof problem === "string") return [body(problem)];
  return [
    ...optional(problem.narrative, parts.problem),
    ...part("Why It Matters", optional(problem.whyItMatters, parts.problem)),
    ...part("Context", optional(problem.context, parts.problem)),
    ...part("Assumptions", list(problem.assumptions)),
    ...part("Constraints", list(problem.constraints)),
  ];
}

function solution({ solution }: Outline): string[] {
  if (solution === undefined) return [];
  if (typeof solution === "string") return [body(solution)];
  const steps = solution.steps?.map(({ description = "", file }) =>
    file === undefined ? description : `${description}\nFile: ${oneLine(file)}`,
  );
  return [...optional(solution.overview, parts.solution), ...part("Steps", steps ? [numberedList(steps)] : [])];
}

function criteria(all: OutlineCriterion[] = []): string[] {
  const plain = all.every(
    ({ id, given, when, outcome, notes }) => (id ?? given ?? when ?? outcome ?? notes) === undefined,
  );
  if (plain) return all.length > 0 ? [numberedList(all.map(({ text = "" }) => text))] : [];
  return all.flatMap(({ id, text, given, when, outcome, notes }, index) => {
    const said = Object.entries({ Given: given, When: when, Then: outcome, Notes: notes });
    const lines = said.flatMap(([word, value]) => (value === undefined ? [] : [`**${word}** ${value}`]));
    const isPart = (line: string) => headingOf(line, 3) !== undefined;
    return [
      `### ${oneLine(id ?? `AC-${index + 1}`)}`,
      ...(text === undefined ? [] : [body(text, isPart)]),
      ...(lines.length > 0 ? [bulletList(lines)] : []),
    ];
  });
}

function files(all: FileLine[] = []): string[] {
  const rowsOf = (some: FileLine[]) => {
    const hasNotes = some.some(({ notes }) => notes !== undefined);
    const rows = some.map(({ path, action, notes }) => [path, action, ...(hasNotes ? [notes] : [])]);
    return table(["Path", "Action", ...(hasNotes ? ["Notes"] : [])], rows);
  };
  if (!areLayered(all)) return all.length > 0 ? [rowsOf(all)] : [];
  return layers.flatMap((name) => {
    const some = all.filter(({ layer }) => layer === name);
    return some.length > 0 ? [`### ${name[0]?.toUpperCase()}${name.slice(1)}`, rowsOf(some)] : [];
  });
}

function api({ api }: Outline): string[] {
  if (api === undefined) return [];
  if (typeof api === "string") return [body(api)];
  const rows = api.map(({ method, route, authentication, status, description }) => [
    method,
    route,
    authentication,
    status,
    description,
  ]);
  return [table(["Method", "Route", "Auth", "Status", "Description"], rows)];
}

function tests({ tests }: Outline): string[] {
  if (tests === undefined) return [];
  if (typeof tests === "string") return [body(tests)];
  const listTests = (some: Test[] | undefined) => list(some?.map(testLine));
  return [
    ...optional(tests.summary, parts.tests),
    ...part("Unit Tests", listTests(tests.unitTests)),
    ...part("Integration Tests", listTests(tests.integrationTests)),
    ...part("Edge Cases", listTests(tests.edgeCases)),
  ];
}

function testLine({ name, file, description }: Test): string {
  const head = [name && `**${name}**`, file && `(\`${file}\`)`].filter(Boolean).join(" ");
  if (!head) return description ?? "";
  return description === undefined ? head : `${head}: ${description}`;
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ").trim();
}

/** One kind of line break, and nothing that a text file cannot contain: what is a line decides what has to be escaped. */
function withCleanTexts<T>(value: T): T;
function withCleanTexts(value: unknown): unknown {
  if (typeof value === "string") return replaceUnwritable(value.replace(/\r\n?/g, "\n"));
  if (Array.isArray(value)) return value.map(withCleanTexts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withCleanTexts(part)]));
}
