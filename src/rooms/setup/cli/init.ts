import type { App } from "../../../commons/cli/app.ts";
import { wordForShell } from "../../../commons/cli/command-line.ts";
import { defineCommand, type Output } from "../../../kernel/definitions/command.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { checkAlone } from "../errors.ts";
import type { SetupRequest } from "../service/request.ts";
import type { FileChange, FoundClient, SetupPlan } from "../service/setup.ts";
import type { SetupServices } from "../services.ts";
import { chooseClients } from "./choose-clients.ts";

const pastTense: Record<FileChange["action"], string> = { create: "Created", change: "Changed", delete: "Deleted" };
const toDo: Record<FileChange["action"], string> = { create: "to create", change: "to change", delete: "to delete" };

export const init = defineCommand({
  name: "init",
  summary: "Connect your AI assistants to this project",
  details:
    "Adds Forge to the configuration of the assistants found here, or of those named with --client, and a short note to " +
    "AGENTS.md. Everything else in those files stays as it is, including comments and order. Files outside the project are " +
    "only changed for clients that you choose.\n\n" +
    "Clients: claude-code, cursor, vscode, codex, gemini, copilot, zed, kiro, amazonq, roo, windsurf, claude-desktop. " +
    "Each has a page in docs/clients of Forge's repository.",
  examples: [
    ["forge init", "Find your assistants and choose which to set up."],
    ["forge init --client claude-code,cursor", "Set up these two without asking."],
    ["forge init --dry-run", "Show what would change, as a diff."],
    ["forge init --check", "For CI: fail if something is not set up."],
    ["forge init --remove", "Remove what init added to this project."],
  ],
  options: {
    client: { type: "list", value: "LIST", help: "Set up these clients, found or not. Separate several with commas." },
    scope: {
      type: "string",
      value: "SCOPE",
      choices: ["project", "user"],
      help: "Use each client's file in the project, or your own file for all projects.",
    },
    "dry-run": { type: "boolean", help: "Show what would change, without changing it." },
    check: { type: "boolean", help: "Change nothing; exit with 1 if something would change." },
    remove: { type: "boolean", help: "Remove Forge again." },
    yes: {
      type: "boolean",
      short: "y",
      help: "Set up everything that is found without asking, including your own files.",
    },
    skill: { type: "boolean", help: "Also install a skill (SKILL.md) for assistants that use the command line." },
    "claude-md": { type: "boolean", help: "Also import AGENTS.md in CLAUDE.md, because Claude Code does not read it." },
    "no-agents-md": { type: "boolean", help: "Do not change AGENTS.md." },
  },
  settings: ["project"],
  group: "start",
  common: true,
  async complete(app: App, { typed, option }) {
    if (option !== "client") return [];
    const before = typed.slice(0, typed.lastIndexOf(",") + 1);
    const { setup } = await app.room<SetupServices>("setup");
    return setup.listKnown().map(({ id, title }) => ({ value: before + id, help: title }));
  },
  async run(app: App, { options }, out) {
    const { setup } = await app.room<SetupServices>("setup");
    const finish = (plan: SetupPlan, mode: Mode, done: string) => finishPlan(app, { plan, mode, done }, out);
    const request: SetupRequest = {
      clients: options.client?.flatMap((list) => list.split(",").map((id) => id.trim())),
      scope: options.scope === "project" || options.scope === "user" ? options.scope : undefined,
      outside: options.yes ?? false,
      // Not offered before the package is published: somebody else could register its name first.
      npx: false,
      skill: options.skill ?? false,
      agentsMd: !options["no-agents-md"],
      claudeMd: options["claude-md"] ?? false,
    };
    if (options.check && (options["dry-run"] || options.remove)) throw checkAlone();
    if (options.remove) return finish(setup.planRemoval(request), options["dry-run"] ? "show" : "apply", "removed");
    if (options.check) return finish(setup.plan(request), "check", "set up");
    if (options["dry-run"]) return finish(setup.plan(request), "show", "set up");
    const found = setup.find();
    if (!request.clients && !options.yes && !out.json && app.terminal.ask) {
      const chosen = await chooseClients(found, app.terminal.ask, out);
      return finish(setup.plan({ ...request, clients: chosen }), "apply", "set up");
    }
    if (!request.clients) mentionNone(found, out);
    return finish(setup.plan(request), "apply", "set up");
  },
});

function mentionNone(found: FoundClient[], out: Output): void {
  if (found.length === 0) out.note("No assistants found. Name one with --client.");
}

type Mode = "apply" | "show" | "check";

type Finish = { plan: SetupPlan; mode: Mode; done: string };

async function finishPlan(app: App, { plan, mode, done }: Finish, out: Output): Promise<number> {
  const { changes } = plan;
  const remarks = plan.remarks.map(wordForShell(await app.commands.facts()));
  if (mode === "apply" && changes.length > 0) {
    const files = changes.map(({ file, action }) => `${action} ${file}`);
    // Those outside the project are named from the home, or from the root.
    const ofUser = changes.some(({ file }) => /^[~/]/.test(file));
    const step = { title: "Change how assistants are set up", input: { files }, ofUser };
    await app.tools.approve("forge init", step, out.signal);
  }
  if (mode === "apply") await plan.apply();
  const { nextSteps } = plan;
  out.data({ applied: mode === "apply", changes, remarks, nextSteps }, () => {
    if (changes.length === 0) return `Nothing to do: everything is already ${done}.`;
    return mode === "show" ? changes.map(({ diff }) => plainDiff(diff)).join("\n") : listChanges(changes, mode, out);
  });
  if (!out.json) for (const remark of remarks) out.note(plain(remark));
  if (mode === "apply" && changes.length > 0 && done === "set up" && !out.json) noteNextSteps(nextSteps, out);
  return mode === "check" && changes.length > 0 ? 1 : 0;
}

function noteNextSteps(steps: SetupPlan["nextSteps"], out: Output): void {
  if (steps.length > 0) out.note("Next:");
  for (const { client, step } of steps) out.note(`  ${client}: ${step}.`);
  out.note("See what your assistants do with `forge log`. Allow Forge to run this project's tests with `forge trust`.");
}

function listChanges(changes: FileChange[], mode: Mode, { style }: Output): string {
  const width = Math.max(...changes.map(({ file }) => file.length));
  return changes
    .map(({ file, action, reasons }) => {
      const word = mode === "apply" ? style.green(pastTense[action]) : style.yellow(toDo[action]);
      return `${word}  ${plain(file).padEnd(width)}  ${style.dim(plain(reasons.join(", ")))}`;
    })
    .join("\n");
}

function plainDiff(diff: string): string {
  return diff.split("\n").map(plain).join("\n");
}
