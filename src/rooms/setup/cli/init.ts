import type { App } from "../../../commons/cli/app.ts";
import { defineCommand, type Output } from "../../../kernel/command.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { FileChange, FoundClient, SetupPlan, SetupRequest } from "../index.ts";
import { chooseClients } from "./choose-clients.ts";

const done: Record<FileChange["action"], string> = { create: "Created", change: "Changed", delete: "Deleted" };
const toDo: Record<FileChange["action"], string> = { create: "to create", change: "to change", delete: "to delete" };

export const init = defineCommand({
  name: "init",
  summary: "Set this project up for your AI assistants",
  details:
    "Adds Forge to the configuration of the assistants that are found here, or of those named with --client, and a short " +
    "note for them to AGENTS.md. Whatever else stands in those files keeps its bytes, comments and order included; what " +
    "is set up already is left as it is. Files outside the project are only changed for clients that you choose.\n\n" +
    "Clients: claude-code, cursor, vscode, codex, gemini, copilot, zed, kiro, amazonq, roo, windsurf, claude-desktop. " +
    "The folder docs/clients of Forge's repository has a page for each.",
  examples: [
    ["forge init", "Set up the assistants that are found, asking which."],
    ["forge init --client claude-code,cursor", "Set up these two, asking nothing."],
    ["forge init --dry-run", "Show what would be changed, as a diff."],
    ["forge init --check", "For CI: fail where something is not set up."],
    ["forge init --remove", "Take back what init wrote into this project."],
  ],
  options: {
    client: { type: "list", value: "LIST", help: "Set up these clients, found or not; names separated by commas." },
    scope: {
      type: "string",
      value: "SCOPE",
      choices: ["project", "user"],
      help: "Use the project's file of each client, or your own for all projects.",
    },
    "dry-run": { type: "boolean", help: "Show what would be changed, and change nothing." },
    check: { type: "boolean", help: "Change nothing; end with 1 where something would be changed." },
    remove: { type: "boolean", help: "Take Forge out again, and leave everything else." },
    yes: { type: "boolean", short: "y", help: "Do not ask: set up everything that is found, your own files included." },
    skill: { type: "boolean", help: "Also install a skill (SKILL.md) for assistants that use the command line." },
    "claude-md": { type: "boolean", help: "Also have CLAUDE.md import AGENTS.md, which Claude Code does not read." },
    "no-agents-md": { type: "boolean", help: "Leave AGENTS.md alone." },
  },
  settings: ["project"],
  group: "start",
  async complete(app: App, { typed, option }) {
    if (option !== "client") return [];
    const before = typed.slice(0, typed.lastIndexOf(",") + 1);
    return (await app.setup()).known().map(({ id, title }) => ({ value: before + id, help: title }));
  },
  async run(app: App, { options }, out) {
    const setup = await app.setup();
    const request: SetupRequest = {
      clients: options.client?.flatMap((list) => list.split(",").map((id) => id.trim())),
      scope: options.scope === "project" || options.scope === "user" ? options.scope : undefined,
      outside: options.yes ?? false,
      // Not offered before the package is published: whoever registers its name first would be run.
      npx: false,
      skill: options.skill ?? false,
      agentsMd: !options["no-agents-md"],
      claudeMd: options["claude-md"] ?? false,
    };
    if (options.check && (options["dry-run"] || options.remove)) throw aloneOnly();
    if (options.remove)
      return finish(setup.planRemoval(request), options["dry-run"] ? "show" : "apply", out, "taken back");
    if (options.check) return finish(setup.plan(request), "check", out, "set up");
    if (options["dry-run"]) return finish(setup.plan(request), "show", out, "set up");
    const found = setup.find();
    if (!request.clients && !options.yes && !out.json && app.ask) {
      const chosen = await chooseClients(found, app.ask, out);
      return finish(setup.plan({ ...request, clients: chosen }), "apply", out, "set up");
    }
    if (!request.clients) mentionNone(found, out);
    return finish(setup.plan(request), "apply", out, "set up");
  },
});

function aloneOnly(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "--check stands alone, without --dry-run and --remove.", {
    next: ["Give one of them."],
  });
}

function mentionNone(found: FoundClient[], out: Output): void {
  if (found.length === 0) out.note("No assistant was found here; name one with --client.");
}

type Mode = "apply" | "show" | "check";

async function finish(plan: SetupPlan, mode: Mode, out: Output, what: string): Promise<number> {
  const { changes, remarks } = plan;
  if (mode === "apply") await plan.apply();
  out.data({ applied: mode === "apply", changes, remarks }, () => {
    if (changes.length === 0) return `Nothing to do: everything is ${what} already.`;
    return mode === "show" ? changes.map(({ diff }) => plainDiff(diff)).join("\n") : listed(changes, mode, out);
  });
  if (!out.json) for (const remark of remarks) out.note(plain(remark));
  if (mode === "apply" && changes.length > 0 && what === "set up" && !out.json)
    out.note("Restart your assistant so that it finds Forge; `forge log` then shows what it does here.");
  return mode === "check" && changes.length > 0 ? 1 : 0;
}

function listed(changes: FileChange[], mode: Mode, { style }: Output): string {
  const width = Math.max(...changes.map(({ file }) => file.length));
  return changes
    .map(({ file, action, reasons }) => {
      const word = mode === "apply" ? style.green(done[action]) : style.yellow(toDo[action]);
      return `${word}  ${plain(file).padEnd(width)}  ${style.dim(plain(reasons.join(", ")))}`;
    })
    .join("\n");
}

function plainDiff(diff: string): string {
  return diff.split("\n").map(plain).join("\n");
}
