import type { App } from "../../commons/cli/app.ts";
import type { Output } from "../../kernel/definitions/command.ts";
import { padText, plain } from "../../platform/terminal/text.ts";

type Step = [command: string, meaning: string];

/** `forge` alone: where you are, and what to do next. */
export async function showWelcome({ version, project, toolsets }: App, out: Output): Promise<number> {
  const { root, inGit, store } = project;
  const served = toolsets
    .report({ toolsets: "auto", profile: undefined, readOnly: false })
    .filter((toolset) => toolset.served)
    .map(({ name }) => name);
  const next = store.exists ? forUsedProject : forNewProject;
  out.data({ version, project, toolsets: served, next: next.map(([command]) => command) }, () =>
    [
      `Forge ${version}`,
      "",
      `Project:   ${out.style.bold(plain(root))}${inGit ? "" : " (not a git repository)"}`,
      `Data:      ${plain(store.place)}${store.exists ? "" : " (not created yet)"}`,
      `Toolsets:  ${served.join(", ")}`,
      "",
      out.style.bold("Next:"),
      ...next.map(([command, meaning]) => `  ${out.style.cyan(padText(command, 22))}  ${meaning}`),
      "",
      "Run `forge --help` for more commands.",
    ].join("\n"),
  );
  return 0;
}

const forNewProject: Step[] = [
  ["forge init", "Connect your AI assistants to this project."],
  ["forge create TITLE", "Create your first ticket."],
  ["forge up", "Serve this project and show how to connect."],
];

const forUsedProject: Step[] = [
  ["forge list", "See your tickets."],
  ["forge execute ID", "Run a ticket with an assistant."],
  ["forge log", "See what assistants did."],
];
