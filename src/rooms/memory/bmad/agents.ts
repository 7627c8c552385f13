import { isRecord } from "../../../kernel/json.ts";
import { type BmadFiles, maxItems, recordIn, textIn } from "./bmad-files.ts";
import type { Layout } from "./layout.ts";

export type Agent = {
  id: string;
  /** The persona, like Winston. */
  name?: string;
  title?: string;
  icon?: string;
  /** What it calls itself in the kit's logs and memories. */
  tag?: string;
  description?: string;
  /** Files that it keeps its learnings in, without folder and ending. */
  learningFiles: string[];
  source: string;
};

const maxDescription = 500;
const maxElement = 1_000;
const maxBlockLines = 20;
const kitFields = {
  tag: /AGENT_TAG\s{0,8}=\s{0,8}([^|\s`"'<>]+)/,
  name: /AGENT_NAME\s{0,8}=\s{0,8}([^|\s`"'<>]+)/,
  learnings: /LEARNINGS_FILE\s{0,8}=\s{0,8}([^|\s`"'<>]+)/,
};

/** Every agent that the project defines, by any version's files, each once. */
export async function findAgents(files: BmadFiles, { folders }: Layout): Promise<Agent[]> {
  if (folders.length === 0) return [];
  const agents = new Map<string, Agent>();
  const add = (agent: Agent) => {
    const known = agents.get(agent.id);
    // What was found first is closer to what runs; later finds only fill in.
    agents.set(
      agent.id,
      known ? { ...agent, ...known, learningFiles: union(known.learningFiles, agent.learningFiles) } : agent,
    );
  };
  for (const find of [customAgents, moduleAgents, configuredAgents, skillAgents, manifestAgents])
    for (const agent of await find(files, folders)) add(agent);
  return [...agents.values()].sort((a, b) => a.id.localeCompare(b.id)).slice(0, maxItems);
}

/** Agents that a name means: by id, tag, persona or learnings file. A tag of two agents means both. */
export function matchAgents(agents: readonly Agent[], name: string): Agent[] {
  const wanted = toId(name);
  const byId = agents.filter(({ id }) => id === wanted);
  if (byId.length > 0) return byId;
  return agents.filter(
    ({ tag, name: persona, learningFiles }) =>
      [tag, persona].some((known) => known !== undefined && known.toLowerCase() === name.toLowerCase()) ||
      learningFiles.includes(wanted),
  );
}

/** `bmad-agent-architect`, `bmad-cis-agent-storyteller` and the names without what comes before are one. */
export function toId(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/\.md$/, "")
    .replace(/^bmad-(?:(?:[a-z0-9]+-)?agent-)?/, "");
}

async function customAgents(files: BmadFiles, folders: readonly string[]): Promise<Agent[]> {
  const paths: string[] = [];
  for (const folder of folders) {
    const place = `${folder}/_config/custom/agents`;
    for (const name of await files.list(place, "file"))
      if (/\.md$/.test(name) && !isTemplate(name)) paths.push(`${place}/${name}`);
  }
  return readAgentFiles(files, paths);
}

/** `bmm/agents/dev.md`, from 6.0 on also `bmm/agents/tech-writer/tech-writer.md`; in version 4 `.bmad-core/agents/dev.md`. */
async function moduleAgents(files: BmadFiles, folders: readonly string[]): Promise<Agent[]> {
  const paths: string[] = [];
  for (const module of [...folders, ...(await listModules(files, folders))]) {
    const place = `${module}/agents`;
    for (const name of await files.list(place, "file")) if (/\.(?:md|xml)$/.test(name)) paths.push(`${place}/${name}`);
    for (const name of await files.list(place, "folder")) paths.push(`${place}/${name}/${name}.md`);
  }
  return readAgentFiles(files, paths);
}

/** What the kit copies new agents from, and lists with them. */
function isTemplate(name: string): boolean {
  return /\.tpl\.|\.tpl$|template/.test(name);
}

async function listModules(files: BmadFiles, folders: readonly string[]): Promise<string[]> {
  const names = await Promise.all(folders.map((folder) => files.list(folder, "folder")));
  return folders.flatMap((folder, index) =>
    (names[index] ?? []).filter((name) => !name.startsWith("_")).map((name) => `${folder}/${name}`),
  );
}

async function skillAgents(files: BmadFiles): Promise<Agent[]> {
  const found: Agent[] = [];
  for (const place of [".claude/skills", ".agents/skills"]) {
    const folders = (await files.list(place, "folder")).filter((name) => /^bmad-(?:[a-z0-9]+-)?agent-/.test(name));
    for (const name of folders) {
      const path = `${place}/${name}/SKILL.md`;
      const file = await files.read(path);
      if (!file) continue;
      const persona = recordIn(await files.readToml(`${place}/${name}/customize.toml`), "agent");
      found.push({
        id: toId(name),
        ...factsOf(persona, frontField(file.text, "description")),
        learningFiles: [],
        source: path,
      });
    }
  }
  return found;
}

/** From 6.5 on: `[agents.bmad-agent-architect]` in config.toml and what overrides it. */
async function configuredAgents(files: BmadFiles, folders: readonly string[]): Promise<Agent[]> {
  const layers = ["config.toml", "config.user.toml", "custom/config.toml", "custom/config.user.toml"];
  const merged = new Map<string, { facts: Record<string, unknown>; source: string }>();
  for (const path of folders.flatMap((folder) => layers.map((layer) => `${folder}/${layer}`))) {
    for (const [name, facts] of Object.entries(recordIn(await files.readToml(path), "agents"))) {
      if (isRecord(facts)) merged.set(name, { facts: { ...merged.get(name)?.facts, ...facts }, source: path });
    }
  }
  return [...merged].map(([name, { facts, source }]) => ({
    id: toId(name),
    ...factsOf(facts, textIn(facts, "description")),
    learningFiles: [],
    source,
  }));
}

async function manifestAgents(files: BmadFiles, folders: readonly string[]): Promise<Agent[]> {
  const paths = folders.map((folder) => `${folder}/_config/agent-manifest.csv`);
  return (await Promise.all(paths.map((path) => readManifest(files, path)))).flat();
}

async function readManifest(files: BmadFiles, path: string): Promise<Agent[]> {
  const file = await files.read(path);
  if (!file) return [];
  const [head = [], ...rows] = parseCsv(file.text);
  return rows.flatMap((row, index) => {
    const cell = (column: string) => row[head.indexOf(column)]?.trim() || undefined;
    const id = cell("name");
    if (id === undefined || isTemplate(id)) return [];
    const facts = { name: cell("displayName"), title: cell("title"), icon: cell("icon") };
    return [{ id: toId(id), ...factsOf(facts, cell("role")), learningFiles: [], source: `${path}:${index + 2}` }];
  });
}

async function readAgentFiles(files: BmadFiles, paths: readonly string[]): Promise<Agent[]> {
  const found: Agent[] = [];
  for (const path of paths) {
    const file = await files.read(path);
    if (!file) continue;
    const base = path.split("/").at(-1) ?? path;
    // `AGENT_TAG=atlas | AGENT_NAME=Atlas | LEARNINGS_FILE=project-knowledge`
    const first = (pattern: RegExp) => pattern.exec(file.text)?.[1];
    const learnings = first(kitFields.learnings);
    const tag = first(kitFields.tag);
    const element = elementIn(file.text);
    const block = blockIn(file.text);
    const facts = {
      name: first(kitFields.name) ?? attributeOf(element, "name") ?? block.get("name") ?? frontField(file.text, "name"),
      title: attributeOf(element, "title") ?? block.get("title"),
      icon: attributeOf(element, "icon") ?? block.get("icon"),
    };
    found.push({
      id: toId(base.replace(/\.(?:agent\.)?\w+$/, "")),
      ...factsOf(facts, frontField(file.text, "description") ?? block.get("whenToUse")),
      ...(tag !== undefined && { tag }),
      learningFiles: learnings === undefined ? [] : [toId(learnings)],
      source: path,
    });
  }
  return found;
}

/** The attributes of `<agent …>`. */
function elementIn(text: string): string {
  const start = text.indexOf("<agent ");
  return start < 0 ? "" : (text.slice(start, start + maxElement).split(">")[0] ?? "");
}

/** The fields of version 4, which are in a block of YAML between text: `agent:` and indented lines. */
function blockIn(text: string): Map<string, string> {
  const [, after = ""] = text.split(/^agent:[ \t]*\r?\n/m);
  const fields = new Map<string, string>();
  for (const line of after.split(/\r?\n/).slice(0, maxBlockLines)) {
    const [, key, value = ""] = /^ {2}(\w+):(.*)$/.exec(line) ?? [];
    if (key === undefined) break;
    fields.set(key, value.trim().replace(/^(["'])(.*)\1$/, "$2"));
  }
  return fields;
}

function attributeOf(element: string, name: string): string | undefined {
  const [, after] = element.split(` ${name}="`);
  return after?.includes('"') ? after.split('"')[0] || undefined : undefined;
}

function factsOf(
  facts: Record<string, unknown>,
  description: string | undefined,
): Omit<Agent, "id" | "source" | "learningFiles"> {
  const [name, title, icon] = [textIn(facts, "name"), textIn(facts, "title"), textIn(facts, "icon")];
  return {
    ...(name !== undefined && { name }),
    ...(title !== undefined && { title }),
    ...(icon !== undefined && { icon }),
    ...(description !== undefined && { description: description.slice(0, maxDescription) }),
  };
}

function frontField(text: string, name: string): string | undefined {
  const front = /^---\r?\n([\s\S]{0,8000}?)\r?\n---/.exec(text)?.[1];
  const line = front?.split(/\r?\n/).find((one) => one.startsWith(`${name}:`));
  const value = line?.slice(name.length + 1).trim();
  return value === "" ? undefined : value?.replace(/^(["'])(.*)\1$/, "$2");
}

/** Quoted cells may contain commas, quotes and line breaks. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let [row, cell, isQuoted]: [string[], string, boolean] = [[], "", false];
  const endRow = () => {
    row.push(cell);
    if (row.some((value) => value !== "")) rows.push(row);
    [row, cell] = [[], ""];
  };
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      if (isQuoted && text[at + 1] === '"') cell += text.charAt(at++);
      else isQuoted = !isQuoted;
    } else if (character === "," && !isQuoted) {
      row.push(cell);
      cell = "";
    } else if (character === "\n" && !isQuoted) endRow();
    else if (character !== "\r") cell += character;
  }
  endRow();
  return rows;
}

function union(a: readonly string[], b: readonly string[]): string[] {
  return [...new Set([...a, ...b])];
}
