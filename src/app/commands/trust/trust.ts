import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/definitions/command.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { describeTrust } from "./trust-text.ts";

export const trust = defineCommand({
  name: "trust",
  summary: "Allow Forge to run this project's scripts and hooks",
  details:
    "Forge never executes code from a repository it is only reading; its tests, hooks and scripts run only after you have " +
    "trusted it. This command shows exactly what may run, with a hash of its content, and asks. Trust is saved in your home " +
    "and applies to this folder and this content: Forge asks again for anything that is changed or added. It does not follow " +
    "what a script calls in turn. The project's files and tasks then count as your own text: assistants that read them are " +
    "not asked about each change.",
  examples: [
    ["forge trust", "See what may run here, and allow it."],
    ["forge trust --yes", "Allow it without asking, if there is no terminal."],
  ],
  options: { yes: { type: "boolean", short: "y", help: "Do not ask." } },
  settings: ["project"],
  group: "more",
  async run({ person }: App, { options }, out) {
    const state = await person.trust(out.signal);
    if (!state.trusted && !options.yes) {
      out.note(`${plain(state.project)}\n${describeTrust(state, out.style)}`);
      const answer = await person.confirm("Trust this project to run these?", out.signal);
      if (answer === undefined) throw needsTerminal();
      if (!answer) {
        out.note("Nothing was trusted.");
        return 1;
      }
    }
    if (!state.trusted) await person.giveTrust(state);
    const items = state.items.map((item) => ({ ...item, status: "trusted" as const }));
    out.data({ ...state, trusted: true, items }, (now) =>
      [`${out.style.green("Trusted:")} ${plain(now.project)}`, describeTrust(now, out.style)].join("\n"),
    );
    return 0;
  },
});

function needsTerminal(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Only the user can trust a project, and there is no terminal to ask on.", {
    next: [
      { command: "trust", why: "in a terminal" },
      { command: "status", why: "to see what would run" },
      { command: "trust --help", why: "to see how to trust it without a terminal" },
    ],
  });
}
