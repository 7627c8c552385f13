import { basename } from "node:path";
import type { Redactor } from "../../../kernel/text/redactor.ts";
import { trimSlashes } from "../../../kernel/text/trim-slashes.ts";
import { readLearnings } from "../formats/learnings.ts";
import { agentNotFound, wrongName } from "../model/errors.ts";
import { type Agent, findAgents, matchAgents, toId } from "./agents.ts";
import { BmadFiles, type FileProblem, textIn } from "./bmad-files.ts";
import { contextPlaces, findProjectName, type ProjectContext, readContext } from "./context.ts";
import { findLayout, type Layout } from "./layout.ts";
import { type Failure, readMuseum } from "./museum.ts";
import { Runs } from "./runs.ts";
import { readSprintStatus, type SprintStatus } from "./sprint-status.ts";
import { watchFiles } from "./watch-files.ts";

type AgentLearning = { text: string; date?: string; agent: string; source: string };

export type AgentLearnings = { agents: string[]; learnings: AgentLearning[]; problems: FileProblem[] };

/** A project's BMAD files, read again for each question: people and other programs change them. */
export class BmadProject {
  readonly #root: string;
  readonly #redactor: Pick<Redactor, "lines">;

  constructor(root: string, redactor: Pick<Redactor, "lines">) {
    this.#root = root;
    this.#redactor = redactor;
  }

  async name(): Promise<string> {
    const { files, layout } = await this.#look();
    return findProjectName(files, layout, basename(this.#root));
  }

  async context(): Promise<ProjectContext> {
    const { files, layout } = await this.#look();
    return readContext(files, layout, basename(this.#root));
  }

  async museum(): Promise<{ failures: Failure[]; problems: FileProblem[] }> {
    const { files, layout } = await this.#look();
    return { failures: await readMuseum(files, layout), problems: files.problems };
  }

  async runs(): Promise<{ runs: Runs; problems: FileProblem[] }> {
    const { files, layout } = await this.#look();
    const described = await files.readFirst(contextPlaces(layout));
    const context = described && (await files.readYaml(described.path));
    const folder = textIn(context, "runs_directory");
    const isInside = folder !== undefined && !folder.startsWith("/") && !/\.\.|\\/.test(folder);
    const runs = new Runs(files, layout, {
      branch: textIn(context, "session_branch"),
      ...(isInside && { runsFolder: trimSlashes(folder) }),
    });
    return { runs, problems: files.problems };
  }

  async sprintStatus(): Promise<{ sprint: SprintStatus | undefined; problems: FileProblem[] }> {
    const { files, layout } = await this.#look();
    return { sprint: await readSprintStatus(files, layout), problems: files.problems };
  }

  /** Learnings of an agent's files, however it is named. `isRemembered`: memories know the name, though no file does. */
  async learnings(name: string, isRemembered: (agents: string[]) => Promise<boolean>): Promise<AgentLearnings> {
    if (name.trim() === "" || /[\\/\0]|^\.+$/.test(name)) throw wrongName("agent", name);
    const { files, layout } = await this.#look();
    const agents = await findAgents(files, layout);
    const found = matchAgents(agents, name);
    const names = found.length > 0 ? found.flatMap(namesOf) : [toId(name), name];
    const learnings = await this.#readLearnings(
      files,
      layout,
      found.length > 0 ? found : [{ id: toId(name), learningFiles: [] }],
    );
    if (found.length === 0 && !learnings.isKnown && !(await isRemembered(names)))
      throw agentNotFound(
        name,
        agents.map(({ id }) => id),
      );
    return { agents: [...new Set(names)], learnings: learnings.entries, problems: files.problems };
  }

  /** Files of the project that clients can read as resources. */
  async files(): Promise<string[]> {
    const { files, layout } = await this.#look();
    const paths = ["project-context.yaml"];
    for (const place of layout.memories.flatMap((memory) => [memory, `${memory}/agent-learnings`])) {
      for (const name of await files.list(place, "file"))
        if (/\.(?:md|yaml|json)$/.test(name)) paths.push(`${place}/${name}`);
    }
    for (const folder of layout.folders) paths.push(`${folder}/_config/manifest.yaml`);
    for (const place of [layout.output, ...layout.artifacts])
      for (const name of await files.list(place, "file"))
        if (/\.(?:md|yaml)$/.test(name)) paths.push(`${place}/${name}`);
    const present = await Promise.all(paths.map((path) => files.has(path)));
    return [...new Set(paths.filter((_, index) => present[index]))];
  }

  /** Calls back when one of the files, or the given one, was changed; returns how to stop. */
  watchFiles(path: string | undefined, changed: () => void): () => void {
    const list = async () => (await this.files()).filter((known) => path === undefined || known === path);
    return watchFiles(list, new BmadFiles(this.#root, this.#redactor), changed);
  }

  async readFile(path: string): Promise<string | undefined> {
    const known = await this.files();
    return known.includes(path) ? (await new BmadFiles(this.#root, this.#redactor).read(path))?.text : undefined;
  }

  async #readLearnings(files: BmadFiles, { memories }: Layout, agents: readonly Pick<Agent, "id" | "learningFiles">[]) {
    const entries: AgentLearning[] = [];
    let isKnown = false;
    const seen = new Set<string>();
    for (const { id, learningFiles } of agents) {
      const paths = [id, ...learningFiles].flatMap((base) =>
        memories.flatMap((memory) => [`${memory}/agent-learnings/${base}.md`, `${memory}/agent-learnings-${base}.md`]),
      );
      for (const path of paths) {
        if (seen.has(path)) continue;
        seen.add(path);
        const file = await files.read(path);
        if (!file) continue;
        isKnown = true;
        for (const { text, date, line } of readLearnings(file.text))
          entries.push({ text, ...(date !== undefined && { date }), agent: id, source: `${path}:${line}` });
      }
    }
    return { entries, isKnown };
  }

  async #look(): Promise<{ files: BmadFiles; layout: Layout }> {
    const files = new BmadFiles(this.#root, this.#redactor);
    return { files, layout: await findLayout(files) };
  }
}

/** Every name that memories of an agent may be stored under. */
function namesOf({ id, tag, name }: Agent): string[] {
  return [id, `bmad-agent-${id}`, tag, name].filter((one) => one !== undefined);
}
