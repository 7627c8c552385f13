import { Git } from "../../../../platform/git/git.ts";
import { findInstalledGit } from "../../../../platform/git/run/installed-git.ts";
import { childEnvironment } from "../../../../platform/host/environment.ts";
import type { Check } from "../model.ts";

export const git: Check = {
  id: "git",
  title: "git",
  async look({ cwd, environment, signal }) {
    const { path, version } = await findInstalledGit(cwd, signal, childEnvironment(environment));
    return { state: "ok", message: `Version ${version}, ${path}.` };
  },
};

/** Reads it once, as the tools do: another user's folder, a broken index or a damaged `.git` show up here. */
export const repository: Check = {
  id: "repository",
  title: "Repository",
  async look({ cwd, project, environment, signal }) {
    if (!project.inGit) return { state: "ok", message: "Not a git repository. Forge works without one." };
    const opened = new Git({ environment: childEnvironment(environment) }).open(cwd);
    await opened.status(1, signal);
    return { state: "ok", message: `${opened.location.workTree} is readable.` };
  },
};
