import { ForgeError } from "../../../kernel/errors.ts";
import { excerpt } from "../../../kernel/text/excerpt.ts";
import { collections } from "./memory.ts";

export function containsSecret(field: string): ForgeError {
  return new ForgeError(
    "VALIDATION_ERROR",
    `The ${field} contains what looks like a password, key or token. Nothing was stored.`,
    {
      details: { field },
      next: ["Leave the secret out, or name where it is kept, and try again."],
    },
  );
}

export function emptyText(field: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `The ${field} is empty. Nothing was stored.`, { details: { field } });
}

export function memoryNotFound(id: string): ForgeError {
  return new ForgeError("NOT_FOUND", `Memory "${excerpt(id)}" not found.`, {
    details: { id },
    next: [{ tool: "list_memories", why: "to see the memories of this project" }],
  });
}

export function wrongName(what: string, name: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `"${excerpt(name)}" is not a valid ${what}: it looks like a path.`, {
    details: { [what]: name.slice(0, 200) },
    next: [`Use the ${what}'s name alone, without "..", backslashes or a leading slash.`],
  });
}

export function agentNotFound(agent: string, known: readonly string[]): ForgeError {
  return new ForgeError(
    "AGENT_NOT_FOUND",
    `Agent "${excerpt(agent)}" not found: no agent file, learnings file or memory has that name.`,
    {
      details: { agent: agent.slice(0, 200), known },
      next: [
        known.length > 0
          ? `Use one of these: ${known.slice(0, 12).join(", ")}.`
          : { tool: "get_project_context", input: { section: "agents" }, why: "to see which agents the project has" },
      ],
    },
  );
}

export function runNotFound(what: string): ForgeError {
  return new ForgeError("NOT_FOUND", `${what} not found.`, {
    next: [{ tool: "list_sessions", why: "to see the sessions and their runs" }],
  });
}

export function unreadableImport(file: string, why: string): ForgeError {
  return new ForgeError("VALIDATION_ERROR", `${excerpt(file)} ${why}. Nothing was imported.`, {
    details: { file },
    next: ["Give a memories.json, a Markdown file of learnings, or a file that was exported before."],
  });
}

export function collectionNotFound(name: string): ForgeError {
  return new ForgeError(
    "NOT_FOUND",
    `Collection "${excerpt(name)}" not found. Collections: ${collections.join(", ")}.`,
  );
}

export function fileNotFound(path: string): ForgeError {
  return new ForgeError("NOT_FOUND", `"${excerpt(path)}" is not one of the project's BMAD files.`, {
    next: ["Read bmad://files for the list."],
  });
}
