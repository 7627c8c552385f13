import type { App, Selection } from "../../../commons/cli/app.ts";
import type { Candidate, Option, TypingPlace } from "../../../kernel/definitions/command.ts";
import { namedToolsets, profileNames } from "../../settings/profiles.ts";

const toolsets = {
  type: "string",
  value: "auto|all|LIST",
  help: "Toolsets to serve: those that fit the project (auto), all, or names separated by commas.",
  default: "auto",
} as const satisfies Option;

const profile = {
  type: "string",
  value: "NAME",
  help: `Replace another server, with its name and tools: ${profileNames.join(", ")}.`,
} as const satisfies Option;

const readOnly = {
  type: "boolean",
  help: "Leave out tools that change anything.",
} as const satisfies Option;

/** Options of the commands that serve tools, or tell which would be. */
/** Not for `forge mcp` on stdio, where only the client that started it can speak. */
export const noToken = {
  type: "boolean",
  help: "Let every program on this machine connect over HTTP, without a token.",
} as const;

export const selectionOptions = { toolsets, profile, "read-only": readOnly };

/** For a command's `complete`: the known toolsets and profiles. */
export async function completeSelection(app: App, { option, typed }: TypingPlace): Promise<Candidate[]> {
  if (option === "profile") return profileNames.map((value) => ({ value }));
  if (option !== "toolsets") return [];
  // Of a list, the part after the last comma is being typed.
  const kept = /^(?:--toolsets=)?(.*,)?/.exec(typed)?.[1] ?? "";
  const names = [...(kept === "" ? ["auto", "all"] : []), ...app.toolsets.built];
  return names.map((name) => ({ value: kept + name }));
}

type Given = { toolsets: string; profile?: string | undefined; "read-only": boolean | undefined };

/** Throws for unknown names before anything is started. */
export function readSelection(given: Given, app: App): Selection {
  const selection = {
    toolsets: given.toolsets,
    profile: given.profile,
    readOnly: given["read-only"] ?? false,
  };
  namedToolsets(selection, app.toolsets.built);
  return selection;
}

/** For a person whose program was started where its output is no terminal. */
export const linkNeedsTerminal = "To open it, run forge up in a terminal: the link that it shows lets you in.";
