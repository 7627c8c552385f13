import { isRecord } from "../../../kernel/json.ts";
import { runNotFound, wrongName } from "../model/errors.ts";
import { type BmadFiles, textIn } from "./bmad-files.ts";
import type { Layout } from "./layout.ts";

export type Run = {
  run_id: string;
  branch: string;
  status: string;
  workflow?: string;
  started_at?: string;
  last_checkpoint?: string;
  current_step?: number | string;
  total_steps?: number;
  steps_completed?: number[];
  resume_from_step?: number | string;
  checkpoint_id?: string;
  issues?: string[];
  artefacts?: { step?: number | string; name?: string; path?: string }[];
  nodes?: { id: string; label?: string; agent?: string; status?: string; depends_on?: string[] }[];
  source: string;
};

/** A run whose files are there and cannot be read, for example because they are half-written. */
export type UnreadableRun = { run_id: string; branch: string; source: string };

export type Session = {
  branch: string;
  status: "active" | "completed" | "failed";
  purpose?: string;
  created_at?: string;
  created_by?: string;
  parent_branch?: string;
  runs: number;
  latest_run?: { run_id: string; status: string };
  source: string;
};

const defaultBranch = "main";
const maxBranchDepth = 4;
const maxItems = 200;

/** Runs and session branches below `_bmad-output/.runs`. */
export class Runs {
  readonly #files: BmadFiles;
  readonly #place: string;
  readonly #currentBranch: string | undefined;

  constructor(
    files: BmadFiles,
    layout: Layout,
    { runsFolder, branch }: { runsFolder?: string | undefined; branch?: string | undefined },
  ) {
    this.#files = files;
    this.#place = runsFolder ?? layout.runs;
    this.#currentBranch = branch;
  }

  /** The run asked for, or the newest of the branch; undefined where the project has no runs at all. */
  async status(given: {
    run_id?: string | undefined;
    branch?: string | undefined;
  }): Promise<{ run?: Run; unreadable?: UnreadableRun } | undefined> {
    if (given.branch !== undefined) requireBranch(given.branch);
    if (given.run_id !== undefined) requireRunId(given.run_id);
    const branch = given.branch ?? this.#currentBranch ?? defaultBranch;
    if (given.run_id !== undefined)
      return this.#findNamed(given.run_id, given.branch === undefined ? undefined : branch);
    const [inBranch, loose] = [
      await this.#runFolders(branch),
      given.branch === undefined ? await this.#runFolders("") : [],
    ];
    const found = [...inBranch.map((id) => ({ id, branch })), ...loose.map((id) => ({ id, branch: "" }))];
    if (found.length === 0) {
      if (given.branch !== undefined && !(await this.#files.has(`${this.#place}/${branch}`)))
        throw runNotFound(`Session branch "${branch}"`);
      return undefined;
    }
    const newest = await this.#newest(found);
    return newest.run ? { ...newest, run: await this.#withNodes(newest.run) } : newest;
  }

  async sessions(filter: "all" | Session["status"]): Promise<Session[]> {
    const branches = await this.#branches("", 0);
    const sessions = await Promise.all(branches.map((branch) => this.#session(branch)));
    return sessions.filter(({ status }) => filter === "all" || status === filter).slice(0, maxItems);
  }

  async #session(branch: string): Promise<Session> {
    const path = `${this.#place}/${branch}/branch.json`;
    const facts = await this.#files.readJson(path);
    const ids = await this.#runFolders(branch);
    const latest = ids.length > 0 ? await this.#newest(ids.map((id) => ({ id, branch }))) : undefined;
    const said = textIn(facts, "status")?.toLowerCase();
    const isDone = said === "merged" || said === "completed";
    const status = isDone ? "completed" : latest?.run?.status === "failed" || said === "failed" ? "failed" : "active";
    const field = (name: "purpose" | "created_at" | "created_by" | "parent_branch") => {
      const value = textIn(facts, name);
      return value === undefined ? {} : { [name]: value };
    };
    return {
      branch,
      status,
      ...field("purpose"),
      ...field("created_at"),
      ...field("created_by"),
      ...field("parent_branch"),
      runs: ids.length,
      ...(latest?.run && { latest_run: { run_id: latest.run.run_id, status: latest.run.status } }),
      source: facts ? path : `${this.#place}/${branch}`,
    };
  }

  async #findNamed(id: string, branch: string | undefined): Promise<{ run?: Run; unreadable?: UnreadableRun }> {
    const branches = branch === undefined ? ["", ...(await this.#branches("", 0))] : [branch];
    for (const candidate of branches) {
      const path = join(this.#place, candidate, id);
      if (!(await this.#files.has(path))) continue;
      const run = await this.#read(candidate, id);
      return run
        ? { run: await this.#withNodes(run) }
        : { unreadable: { run_id: id, branch: candidate, source: `${path}/state.json` } };
    }
    throw runNotFound(`Run "${id}"`);
  }

  /** The newest that can be read, and the newest of all where that one cannot. */
  async #newest(found: { id: string; branch: string }[]): Promise<{ run?: Run; unreadable?: UnreadableRun }> {
    const dated = await Promise.all(
      found.map(async ({ id, branch }) => {
        const source = `${join(this.#place, branch, id)}/state.json`;
        const run = await this.#read(branch, id);
        const stamp = /(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})/.exec(id);
        const named = stamp
          ? Date.parse(`${stamp[1]}-${stamp[2]}-${stamp[3]}T${stamp[4]}:${stamp[5]}:${stamp[6]}Z`)
          : Number.NaN;
        const written = Date.parse(run?.started_at ?? "");
        const at = [written, named].find(Number.isFinite) ?? (await this.#files.readModifiedAt(source));
        return { run, at, unreadable: { run_id: id, branch, source } };
      }),
    );
    dated.sort((a, b) => b.at - a.at || b.unreadable.run_id.localeCompare(a.unreadable.run_id));
    const run = dated.find((candidate) => candidate.run)?.run;
    return { ...(run && { run }), ...(dated[0] && !dated[0].run && { unreadable: dated[0].unreadable }) };
  }

  async #read(branch: string, id: string): Promise<Run | undefined> {
    const folder = join(this.#place, branch, id);
    const state = await this.#files.readJson(`${folder}/state.json`);
    if (!state) return undefined;
    const text = (name: string) => textIn(state, name);
    const number = (name: string) => (typeof state[name] === "number" ? state[name] : undefined);
    const step = (name: string) => number(name) ?? text(name);
    const [workflow, started, checkpoint, hash] = [
      "workflow_path",
      "started_at",
      "last_checkpoint",
      "checkpoint_id",
    ].map(text);
    const steps = state["steps_completed"];
    const issues = state["issues"];
    return {
      run_id: text("run_id") ?? id,
      branch: branch || (text("session_branch") ?? defaultBranch),
      status: text("status") ?? "unknown",
      ...(workflow !== undefined && { workflow }),
      ...(started !== undefined && { started_at: started }),
      ...(checkpoint !== undefined && { last_checkpoint: checkpoint }),
      ...(step("current_step") !== undefined && { current_step: step("current_step") as number }),
      ...(number("total_steps") !== undefined && { total_steps: number("total_steps") as number }),
      ...(Array.isArray(steps) && {
        steps_completed: steps.filter((one) => typeof one === "number").slice(0, maxItems),
      }),
      ...(step("resume_from_step") !== undefined && { resume_from_step: step("resume_from_step") as number }),
      ...(hash !== undefined && { checkpoint_id: hash }),
      ...(Array.isArray(issues) &&
        issues.length > 0 && { issues: issues.map((issue) => show(issue)).slice(0, maxItems) }),
      ...artefactsOf(state["artefacts_produced"]),
      source: `${folder}/state.json`,
    };
  }

  /** Read only of the run that is shown. */
  async #withNodes(run: Run): Promise<Run> {
    const nodes = await this.#nodes(run.source.replace(/\/state\.json$/, ""));
    return nodes.length > 0 ? { ...run, nodes } : run;
  }

  async #nodes(folder: string): Promise<NonNullable<Run["nodes"]>> {
    const graph = await this.#files.readYaml(`${folder}/workflow-graph.yaml`);
    const nodes = graph?.["nodes"];
    if (!Array.isArray(nodes)) return [];
    return nodes
      .filter(isRecord)
      .slice(0, maxItems)
      .map((node) => {
        const [label, agent, status] = [textIn(node, "label"), textIn(node, "agent"), textIn(node, "status")];
        const before = node["depends_on"];
        return {
          id: show(node["id"]),
          ...(label !== undefined && { label }),
          ...(agent !== undefined && { agent }),
          ...(status !== undefined && { status }),
          ...(Array.isArray(before) && { depends_on: before.slice(0, maxItems).map(show) }),
        };
      });
  }

  /** A branch is a folder with branch.json, or with runs in it; its name may contain slashes. */
  async #branches(prefix: string, depth: number): Promise<string[]> {
    const found: string[] = [];
    for (const name of await this.#files.list(join(this.#place, prefix), "folder")) {
      const branch = join(prefix, name);
      if ((depth === 0 && name === "archive") || (await this.#isRun(branch))) continue;
      const isBranch =
        (await this.#files.has(`${this.#place}/${branch}/branch.json`)) || (await this.#runFolders(branch)).length > 0;
      if (isBranch) found.push(branch);
      if (depth < maxBranchDepth) found.push(...(await this.#branches(branch, depth + 1)));
    }
    return found;
  }

  async #runFolders(branch: string): Promise<string[]> {
    const names = await this.#files.list(join(this.#place, branch), "folder");
    const runs = await Promise.all(names.map((name) => this.#isRun(join(branch, name))));
    return names.filter((_, index) => runs[index]);
  }

  #isRun(path: string): Promise<boolean> {
    return this.#files.has(`${this.#place}/${path}/state.json`);
  }
}

function join(...parts: string[]): string {
  return parts.filter((part) => part !== "").join("/");
}

function show(value: unknown): string {
  return (typeof value === "string" ? value : (JSON.stringify(value) ?? "")).slice(0, 500);
}

function artefactsOf(value: unknown): Pick<Run, "artefacts"> {
  if (!Array.isArray(value) || value.length === 0) return {};
  return {
    artefacts: value
      .filter(isRecord)
      .slice(0, maxItems)
      .map((artefact) => {
        const { step } = artefact;
        const [name, path] = [textIn(artefact, "name"), textIn(artefact, "path")];
        return {
          ...((typeof step === "number" || typeof step === "string") && { step }),
          ...(name !== undefined && { name }),
          ...(path !== undefined && { path }),
        };
      }),
  };
}

/** A branch may contain slashes; it never leads out of the folder of runs. */
function requireBranch(name: string): void {
  const parts = name.split("/");
  if (name === "" || /[\\\0]/.test(name) || parts.some((part) => part === "" || part === "." || part === ".."))
    throw wrongName("branch", name);
}

function requireRunId(name: string): void {
  if (name === "" || name === "." || name === ".." || /[\\/\0]/.test(name)) throw wrongName("run_id", name);
}
