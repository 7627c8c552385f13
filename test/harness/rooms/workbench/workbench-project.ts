import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { Git } from "../../../../src/platform/git/git.ts";
import type { Task } from "../../../../src/rooms/workbench/model/task-model.ts";
import { readProjectInfo } from "../../../../src/rooms/workbench/project/project-info.ts";
import { makeSandbox } from "../../git/git.ts";

/** A separate repository with these files committed; removed after the test. */
export function projectOf(files: Record<string, string>) {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const folder = sandbox.repository("project", files);
  const git = new Git({ environment: sandbox.environment });
  const at = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    return join(folder, path);
  };
  return {
    sandbox,
    folder,
    git,
    run: (...args: string[]) => sandbox.git(folder, ...args),
    put: (path: string, content: string | Uint8Array) => writeFileSync(at(path), content),
    remove: (path: string) => rmSync(at(path)),
    link: (path: string, target: string) => symlinkSync(target, at(path)),
  };
}

export function taskOf(said: Partial<Task>): Task {
  return {
    id: "t1",
    name: "A task",
    blockId: "b1",
    blockName: "Block",
    status: "pending",
    commitId: "",
    revision: 1,
    createdAt: 0,
    updatedAt: 0,
    description: "",
    acceptance_criteria: [],
    dependencies: [],
    estimated_effort: "",
    files_affected: [],
    function_signatures: [],
    testing_requirements: [],
    log: "",
    ...said,
  };
}

const { signal } = new AbortController();
const totals = async () => ({
  blocks: 8,
  tasks: 24,
  byStatus: { pending: 4, in_progress: 1, completed: 18, failed: 1 },
});

type Project = Pick<ReturnType<typeof projectOf>, "git" | "folder">;

/** The information about a project. */
export function infoOf({ git, folder }: Project, options: { git?: boolean; stats?: boolean } = {}) {
  const services = { git, projectRoot: folder, board: { totals } };
  return readProjectInfo(services, { git: true, stats: true, signal, ...options });
}

export const cargo = (name: string, ...dependencies: string[]) =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\n\n[dependencies]\n${dependencies.map((one) => `${one} = "1"\n`).join("")}`;
