import { ForgeError } from "../../../kernel/errors.ts";
import { didYouMean } from "../../../kernel/text/closest.ts";
import { excerpt } from "../../../kernel/text/excerpt.ts";

const listProjects = { command: "project list", why: "to see the projects" };

export function projectNotFound(id: string, known: readonly string[] = []): ForgeError {
  return new ForgeError("NOT_FOUND", `Project "${excerpt(id)}" not found.`, {
    details: { project_id: id.slice(0, 200) },
    next: [...didYouMean(id, known), listProjects],
  });
}

export function projectExists(id: string): ForgeError {
  return new ForgeError("CONFLICT_ERROR", `Project "${excerpt(id)}" already exists.`, {
    details: { project_id: id },
    next: [{ command: `project show ${id}`, why: "to see it" }, "Choose another id."],
  });
}

export function contractMissing(project: string, type: string, version?: number): ForgeError {
  const which = version === undefined ? `no contract "${type}"` : `no version ${version} of the contract "${type}"`;
  return new ForgeError("CONTRACT_NOT_FOUND", `Project "${excerpt(project)}" has ${which}.`, {
    details: { project_id: project, contract_type: type, ...(version !== undefined && { version }) },
    next: [{ tool: "forge_list_project_contracts", input: { project_id: project }, why: "to see which it has" }],
  });
}

export function buildNotFound(id: string): ForgeError {
  return new ForgeError("NOT_FOUND", `Build "${excerpt(id)}" not found.`, {
    details: { build_id: id.slice(0, 200) },
    next: [{ command: "build list --project ID", why: "to see a project's builds" }],
  });
}

export function nothingToPin(project: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `Project "${excerpt(project)}" has no contracts, so a build would pin nothing.`,
    {
      details: { project_id: project },
      next: [{ command: `project contract put TYPE FILE --project ${project}`, why: "to add one first" }],
    },
  );
}
