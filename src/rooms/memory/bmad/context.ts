import { withoutComments } from "../formats/learnings.ts";
import { type Agent, findAgents } from "./agents.ts";
import { type BmadFiles, type FileProblem, isPlaceholder, recordIn, textIn, textsIn } from "./bmad-files.ts";
import type { Layout } from "./layout.ts";

export type ContextItem = { text: string; source: string; date?: string };

export type Decision = ContextItem & { architectural?: true };

export type ProjectContext = {
  name: string;
  description?: string;
  type?: string;
  session_branch?: string;
  installed: Layout["installed"];
  stack: ContextItem[];
  agents: Omit<Agent, "learningFiles">[];
  decisions: Decision[];
  architecture: ContextItem[];
  /** Conventions and open requests of the shared context. */
  shared: (ContextItem & { section: string })[];
  problems: FileProblem[];
};

const maxItems = 200;
const maxItemLength = 2_000;

/** What the project's own files say about it; each item with its file and line. */
export async function readContext(files: BmadFiles, layout: Layout, fallbackName: string): Promise<ProjectContext> {
  const memory = `${layout.folder ?? "_bmad"}/_memory`;
  const contextFile = await files.readFirst(["project-context.yaml", `${memory}/project-context.yaml`]);
  const context = contextFile && (await files.readYaml(contextFile.path));
  const project = recordIn(context, "project");
  const name = await findProjectName(files, layout, fallbackName);
  const sections = await readSections(files, [`${memory}/shared-context.md`]);
  const decisions = await readDecisions(files, memory, sections);
  const stack = contextFile
    ? textsIn(project["stack"]).map((text) => ({ text, source: lineOf(contextFile, text) }))
    : [];
  const [description, type] = [textIn(project, "description"), textIn(project, "type")];
  const branch = textIn(context, "session_branch");
  return {
    name,
    ...(description !== undefined && { description }),
    ...(type !== undefined && { type }),
    ...(branch !== undefined && { session_branch: branch }),
    installed: layout.installed,
    stack: stack.length > 0 ? stack : itemsOf(sections, /stack|technolog/i),
    agents: (await findAgents(files, layout)).map(({ learningFiles: _, ...agent }) => agent),
    decisions,
    architecture: [
      ...decisions.filter(({ architectural }) => architectural).map(({ architectural: _, ...item }) => item),
      ...itemsOf(sections, /infrastructure|architecture/i),
    ].slice(0, maxItems),
    shared: sections
      .filter(({ title }) => !/infrastructure|architecture|équipe|agents?\b/i.test(title))
      .flatMap(({ title, items }) => items.map((item) => ({ section: title, ...item })))
      .slice(0, maxItems),
    problems: files.problems,
  };
}

/** The name that ids are made of: the context file's, the installer's, else the folder's. */
export async function findProjectName(files: BmadFiles, layout: Layout, fallback: string): Promise<string> {
  const memory = `${layout.folder ?? "_bmad"}/_memory`;
  for (const path of ["project-context.yaml", `${memory}/project-context.yaml`]) {
    const name = textIn(await files.readYaml(path), "project", "name");
    if (name !== undefined) return name;
  }
  if (layout.folder === undefined) return fallback;
  for (const module of ["bmm", "core"]) {
    const name = textIn(await files.readYaml(`${layout.folder}/${module}/config.yaml`), "project_name");
    if (name !== undefined) return name;
  }
  const toml = await files.readToml(`${layout.folder}/config.toml`);
  return (
    textIn(recordIn(toml, "core"), "project_name") ??
    textIn(recordIn(recordIn(toml, "modules"), "bmm"), "project_name") ??
    fallback
  );
}

type Section = { title: string; items: ContextItem[] };

/** The bullets, table rows and lines below each heading of a file. */
async function readSections(files: BmadFiles, paths: readonly string[]): Promise<Section[]> {
  const file = await files.readFirst(paths);
  if (!file) return [];
  const sections: Section[] = [];
  let isFenced = false;
  for (const [index, line] of withoutComments(file.text).split(/\r?\n/).entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    const title = isFenced ? undefined : /^#{1,4}\s+(.+?)\s*$/.exec(line)?.[1];
    if (title !== undefined) sections.push({ title, items: [] });
    const text = isFenced || title !== undefined ? undefined : itemText(line);
    if (text !== undefined) sections.at(-1)?.items.push({ text, source: `${file.path}:${index + 1}`, ...dateIn(text) });
  }
  return sections;
}

/** A line's own text; undefined for what is layout, or still to be filled in. */
function itemText(line: string): string | undefined {
  const plain = line.replace(/^\s*(?:[-*+]|\d+\.)\s+(?:\[[ xX]\]\s+)?/, "").trim();
  if (plain === "" || /^[>|:\s-]*$/.test(plain) || /^(?:<{7}|={7}|>{7})/.test(plain) || isPlaceholder(plain))
    return undefined;
  // The header row of a table is told by the words that templates use.
  if (/^\|\s*(?:Agent|Date|Catégorie|Category|Décision|Decision)\s*\|/i.test(plain)) return undefined;
  return plain.replace(/^\|\s*|\s*\|$/g, "").slice(0, maxItemLength);
}

async function readDecisions(files: BmadFiles, memory: string, shared: readonly Section[]): Promise<Decision[]> {
  const log = await readSections(files, [`${memory}/decisions-log.md`]);
  const fromLog = log.flatMap(({ title, items }) => items.map((item) => ({ ...dateIn(title), ...item })));
  const all = [...fromLog, ...itemsOf(shared, /d[ée]cisions?/i)];
  return all
    .map((item): Decision => (/\[ARCH\]/i.test(item.text) ? { ...item, architectural: true } : item))
    .map((item, index) => ({ item, index }))
    .sort((a, b) => (b.item.date ?? "").localeCompare(a.item.date ?? "") || a.index - b.index)
    .map(({ item }) => item)
    .slice(0, maxItems);
}

function itemsOf(sections: readonly Section[], title: RegExp): ContextItem[] {
  return sections
    .filter((section) => title.test(section.title))
    .flatMap(({ items }) => items)
    .slice(0, maxItems);
}

function dateIn(text: string): { date?: string } {
  const date = /\b(\d{4}-\d{2}-\d{2})\b/.exec(text)?.[1];
  return date === undefined ? {} : { date };
}

function lineOf({ path, text }: { path: string; text: string }, wanted: string): string {
  const line = text.split("\n").findIndex((candidate) => candidate.includes(wanted));
  return line < 0 ? path : `${path}:${line + 1}`;
}
