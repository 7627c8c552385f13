import { type Agent, findAgents } from "./agents.ts";
import { type BmadFiles, type FileProblem, recordIn, textIn, textsIn, type YamlLines } from "./bmad-files.ts";
import type { Layout } from "./layout.ts";
import { dateIn, parseSections, type Section, type SectionItem } from "./sections.ts";

type ContextItem = SectionItem;

type Decision = ContextItem & { architectural?: true };

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
const topics = { stack: /stack|technolog/i, architecture: /infrastructure|architecture/i };
/** A table of what was decided, with a row for each. */
const decisionSummary = /^decisions? summary/i;
/** Headings whose content is in another part of the context. */
const told = /infrastructure|architecture|stack|technolog|équipe|agents?\b/i;

/** What the project's own files say about it; each item with its file and line. */
export async function readContext(files: BmadFiles, layout: Layout, fallbackName: string): Promise<ProjectContext> {
  const contextFile = await files.readFirst(contextPlaces(layout));
  const lines = contextFile && (await files.readYamlLines(contextFile.path));
  const context = lines?.value;
  const project = recordIn(context, "project");
  const name = await findProjectName(files, layout, fallbackName);
  const sections = [
    ...(await readSharedSections(files, layout, "shared-context.md")),
    // What BMAD-METHOD writes for assistants: the stack and the rules of the project.
    ...(await readSections(files, placesOf(layout, "project-context.md"))),
  ];
  const plan = await readSections(files, placesOf(layout, "architecture.md"));
  const decisions = [...(await readDecisions(files, layout, sections)), ...plannedDecisions(plan)].slice(0, maxItems);
  const stack = contextFile && lines ? listStack(contextFile.path, lines) : [];
  const [description, type] = [textIn(project, "description"), textIn(project, "type")];
  const branch = textIn(context, "session_branch");
  return {
    name,
    ...(description !== undefined && { description }),
    ...(type !== undefined && { type }),
    ...(branch !== undefined && { session_branch: branch }),
    installed: layout.installed,
    stack: [stack, itemsOf(sections, topics.stack), itemsOf(plan, topics.stack)].find(({ length }) => length > 0) ?? [],
    agents: (await findAgents(files, layout)).map(({ learningFiles: _, ...agent }) => agent),
    decisions,
    architecture: [
      ...decisions.filter(({ architectural }) => architectural).map(({ architectural: _, ...item }) => item),
      ...itemsOf(sections, topics.architecture),
      ...plan.filter((section) => !isDecision(section) && !decisionSummary.test(section.title)).map(outlineOf),
    ].slice(0, maxItems),
    shared: sections
      .filter(({ title, within = "" }) => !told.test(title) && !topics.stack.test(within))
      .flatMap(({ title, items }) => items.map((item) => ({ section: title, ...item })))
      .slice(0, maxItems),
    problems: files.problems,
  };
}

/** The name that ids are made of: the context file's, the installer's, else the folder's. */
export async function findProjectName(files: BmadFiles, layout: Layout, fallback: string): Promise<string> {
  for (const path of contextPlaces(layout)) {
    const name = textIn(await files.readYaml(path), "project", "name");
    if (name !== undefined) return name;
  }
  const [folder] = layout.folders;
  if (folder === undefined) return fallback;
  for (const module of ["bmm", "core"]) {
    const name = textIn(await files.readYaml(`${folder}/${module}/config.yaml`), "project_name");
    if (name !== undefined) return name;
  }
  const toml = await files.readToml(`${folder}/config.toml`);
  return (
    textIn(recordIn(toml, "core"), "project_name") ??
    textIn(recordIn(recordIn(toml, "modules"), "bmm"), "project_name") ??
    fallback
  );
}

/** Headings and what is below each, of the first of these files that is there. */
async function readSections(files: BmadFiles, paths: readonly string[]): Promise<Section[]> {
  const file = await files.readFirst(paths);
  return file ? parseSections(file.text, file.path) : [];
}

/** The same of a file that each memory folder may have. */
async function readSharedSections(files: BmadFiles, { memories }: Layout, name: string): Promise<Section[]> {
  const read = await files.readAll(memories.map((memory) => `${memory}/${name}`));
  return read.flatMap(({ text, path }) => parseSections(text, path));
}

async function readDecisions(files: BmadFiles, layout: Layout, shared: readonly Section[]): Promise<Decision[]> {
  const log = await readSharedSections(files, layout, "decisions-log.md");
  const fromLog = log.flatMap(decisionsIn);
  const all = [...fromLog, ...itemsOf(shared, /d[ée]cisions?/i)];
  return all
    .map((item): Decision => (/\[ARCH\]/i.test(item.text) ? { ...item, architectural: true } : item))
    .map((item, index) => ({ item, index }))
    .sort((a, b) => (b.item.date ?? "").localeCompare(a.item.date ?? "") || a.index - b.index)
    .map(({ item }) => item)
    .slice(0, maxItems);
}

/** A section is one decision where it says why and what; otherwise each of its lines is one. Notes about the file are none. */
function decisionsIn({ title, items, source }: Section): ContextItem[] {
  if (/^format$/i.test(title)) return [];
  const said = items.filter(({ text }) => !/^>|^\*\(.*\)\*$/.test(text));
  const dated = dateIn(title);
  const name = title.replace(/^\[?\d{4}-\d{2}-\d{2}\]?[\s—–:-]*/, "");
  if (name === "" || !said.some(({ text }) => /^\*\*(?:context|d[ée]cision)/i.test(text)))
    return said.map((item) => ({ ...dated, ...item }));
  const [made] = said.flatMap(({ text }) => {
    const [, label = "", value = ""] = /^\*\*([^*]{1,40})\*\*(.*)$/.exec(text) ?? [];
    return /^d[ée]cision/i.test(label) ? [value.replace(/^[\s:]+/, "")] : [];
  });
  return [{ text: made === undefined ? name : `${name}: ${made}`, source, ...dated }];
}

/** Where the project's own description is, most likely first. */
export function contextPlaces({ memories }: Layout): string[] {
  return ["project-context.yaml", ...memories.map((memory) => `${memory}/project-context.yaml`)];
}

/** A document's place in this version's folders, most likely first; some teams keep it in the project's root. */
function placesOf({ output, artifacts }: Layout, name: string): string[] {
  const folders = new Set([output, `${output}/planning-artifacts`, ...artifacts, "docs"]);
  return [...[...folders].map((folder) => `${folder}/${name}`), name];
}

/** The architecture document's own decisions: `ADR-001: Frontend framework`, or the rows of its summary. */
function plannedDecisions(plan: readonly Section[]): Decision[] {
  const listed = plan.filter(({ title }) => decisionSummary.test(title)).flatMap(({ items }) => items);
  return [...listed, ...plan.filter(isDecision).map(outlineOf)].map((item) => ({ ...item, architectural: true }));
}

/** By its own number, or as a part of BMAD's chapter of decisions, without how they were weighed. */
function isDecision({ title, within }: Section): boolean {
  if (/^(?:ADR|Decision)[ -]?#?\d+/i.test(title)) return true;
  return /^core architectur\w* decisions/i.test(within ?? "") && !/analysis|verification|version/i.test(title);
}

/** A heading with the first thing that it says; the rest is in the file. */
function outlineOf({ title, items, source }: Section): ContextItem {
  const first = items[0]?.text;
  return { text: first === undefined ? title : `${title}: ${first}`, source };
}

function itemsOf(sections: readonly Section[], title: RegExp): ContextItem[] {
  return sections
    .filter((section) => title.test(section.title) || title.test(section.within ?? ""))
    .flatMap(({ items }) => items)
    .slice(0, maxItems);
}

function listStack(path: string, { value, lineOf }: YamlLines): ContextItem[] {
  const given = recordIn(value, "project")["stack"];
  return (Array.isArray(given) ? given : []).flatMap((item, index) => {
    const line = lineOf(["project", "stack", index]);
    return textsIn([item]).map((text) => ({ text, source: line === undefined ? path : `${path}:${line}` }));
  });
}
