import { withoutComments } from "../formats/learnings.ts";
import { type BmadFiles, isPlaceholder } from "./bmad-files.ts";
import type { Layout } from "./layout.ts";
import { parseHeading } from "./sections.ts";

export const categories = [
  "CC-FAIL",
  "WRONG-ASSUMPTION",
  "CONTEXT-LOSS",
  "HALLUCINATION",
  "ARCH-MISTAKE",
  "PROCESS-SKIP",
] as const;

export type Category = (typeof categories)[number];

export const severities = ["critical", "important", "minor"] as const;

export type Severity = (typeof severities)[number];

export type Failure = {
  title: string;
  category?: Category;
  severity?: Severity;
  date?: string;
  agent?: string;
  what_happened?: string;
  root_cause?: string;
  impact?: string;
  lesson?: string;
  rule?: string;
  source: string;
  /** How often it was filed, for failures that Forge keeps. */
  count?: number;
};

type Field = "what_happened" | "root_cause" | "impact" | "lesson" | "rule";

const labels: [field: Field, label: RegExp][] = [
  ["what_happened", /^(?:ce qui s['’]est pass[ée]|what happened|symptom)/i],
  ["root_cause", /^(?:cause(?: racine)?|root cause)/i],
  ["impact", /^impact/i],
  ["lesson", /^(?:le[cç]on|lesson)/i],
  ["rule", /^(?:r[èe]gle|rule|prevention|pr[ée]vention)/i],
];

const howTo = /ajouter une entr[ée]e|add(?:ing)? an entry|how to|comment |template|format|statisti/i;

/** Entries of failure-museum.md, in any of the forms that the kit documents; examples and templates are none. */
export async function readMuseum(files: BmadFiles, { memories, output }: Layout): Promise<Failure[]> {
  const read = await files.readAll([...memories, output].map((place) => `${place}/failure-museum.md`));
  return read.flatMap(({ text, path }) => parseMuseum(text, path));
}

export function parseMuseum(text: string, path: string): Failure[] {
  const failures: Failure[] = [];
  let section = "";
  let current: Failure | undefined;
  const open = (failure: Omit<Failure, "source">, line: number) => {
    const category = failure.category ?? categoryIn(section);
    const where = { ...severityOf(section), source: `${path}:${line}` };
    current = { ...failure, ...(category !== undefined && { category }), ...where };
    failures.push(current);
  };
  for (const { line, number } of plainLines(text)) {
    const { level, title } = parseHeading(line);
    if (title !== undefined && level <= 2) [section, current] = [title, undefined];
    // What explains how to add an entry is often the last section, and entries are added below it.
    else if (howTo.test(section) && !current && !isDated(title)) continue;
    else if (title !== undefined) {
      current = undefined;
      if (!isTemplate(title)) open(parseTitle(title), number);
    } else if (singleLine.test(line) && !isTemplate(line)) {
      open(parseTitle(line.replace(/^\s*(?:[-*]\s+)?/, "")), number);
      current = undefined;
    } else if (current) addField(current, line);
  }
  return failures;
}

/** `[2026-02-10] [dev] [CC-FAIL] text`, as an entry of one line. */
const singleLine = /^\s*(?:[-*]\s+)?\[\d{4}-\d{2}-\d{2}\]\s*\[[^\]]{1,64}\]\s*\[?[A-Z]{2,20}(?:-[A-Z]{1,20})?\]?\s+\S/;

/** Lines outside of comments and fences. */
function plainLines(text: string): { line: string; number: number }[] {
  let isFenced = false;
  return withoutComments(text)
    .split(/\r?\n/)
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => {
      const isFence = /^\s*(?:```|~~~)/.test(line);
      if (isFence) isFenced = !isFenced;
      return !isFence && !isFenced;
    });
}

/** Most critical first, then newest; those without a date last. */
export function orderFailures(failures: readonly Failure[]): Failure[] {
  const rank = ({ severity }: Failure) => (severity === undefined ? severities.length : severities.indexOf(severity));
  return failures.toSorted((a, b) => rank(a) - rank(b) || (b.date ?? "").localeCompare(a.date ?? ""));
}

/** `[2026-02-10] [dev] CC-FAIL — Tests skipped`, or a title alone. */
function parseTitle(text: string): Omit<Failure, "source"> {
  const [, date, dated = text] = /^\[(\d{4}-\d{2}-\d{2})\](.*)$/.exec(text) ?? [];
  const [, agent, said = dated] = (date === undefined ? undefined : /^\[([^\]]{1,64})\](.*)$/.exec(dated.trim())) ?? [];
  const rest = said.trim();
  const category = categoryIn(rest);
  const title = category === undefined ? rest : withoutCategory(rest, category);
  return {
    title: (title.trim() || rest).slice(0, 500),
    ...(category !== undefined && { category }),
    ...(date !== undefined && { date }),
    ...(agent !== undefined && { agent }),
  };
}

/** `[CC-FAIL] — Tests skipped` without what comes before its text. */
function withoutCategory(text: string, category: Category): string {
  const plain = text.replace(/^\[/, "");
  if (!plain.startsWith(category)) return text;
  return plain
    .slice(category.length)
    .replace(/^\]/, "")
    .trim()
    .replace(/^[—–:-]+/, "")
    .trim();
}

function addField(failure: Failure, line: string): void {
  const bold = [...line.matchAll(/\*\*([^*]{1,60})\*\*\s*:?\s*([^*]*)/g)];
  for (const [, label = "", value = ""] of bold) {
    const field = labels.find(([, pattern]) => pattern.test(label.trim().replace(/:$/, "").trim()))?.[0];
    const text = value.replace(/^\s*:\s*/, "").trim();
    if (field && text !== "" && !isPlaceholder(text)) failure[field] = text.slice(0, 2_000);
  }
  if (bold.length > 0) return;
  // Free entries have no labels: their first lines say what happened.
  const free = line.replace(/^\s*[-*>]\s*/, "").trim();
  if (free === "" || /^[|=<>-]/.test(free)) return;
  const said = failure.what_happened === undefined ? free : `${failure.what_happened} ${free}`;
  if (failure.root_cause === undefined && failure.lesson === undefined) failure.what_happened = said.slice(0, 2_000);
}

function categoryIn(text: string): Category | undefined {
  return categories.find((category) => text.toUpperCase().includes(category));
}

function severityOf(section: string): { severity?: Severity } {
  if (/🔴|critiqu|critical/i.test(section)) return { severity: "critical" };
  if (/🟡|important/i.test(section)) return { severity: "important" };
  return /🟢|micro|minor/i.test(section) ? { severity: "minor" } : {};
}

function isDated(title: string | undefined): boolean {
  return title !== undefined && /^\[\d{4}-\d{2}-\d{2}\]/.test(title);
}

function isTemplate(text: string): boolean {
  return isPlaceholder(text) || /YYYY-MM-DD|AAAA-MM-JJ|\[CAT[ÉE]GOR/i.test(text);
}
