import type { App } from "../../../commons/cli/app.ts";
import { defineCommand } from "../../../kernel/command.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import { plain } from "../../../platform/terminal/text.ts";
import { trustAtLength } from "./trust-text.ts";

export const trust = defineCommand({
  name: "trust",
  summary: "Let this project's own scripts and hooks be run",
  details:
    "Reading a project runs nothing of it; its tests, hooks and scripts run only once a person has trusted it. Shows " +
    "exactly what may run, with its content's hash, and asks. Trust is kept in your home, and counts for this folder and " +
    "this content: whatever is changed or added asks again. What a script calls in turn is not followed.",
  examples: [
    ["forge trust", "Look at what may run here, and allow it."],
    ["forge trust --yes", "Allow it without being asked, where there is no terminal."],
  ],
  options: { yes: { type: "boolean", short: "y", help: "Do not ask." } },
  settings: ["project"],
  group: "more",
  async run({ person }: App, { options }, out) {
    const state = await person.trust(out.signal);
    if (!state.trusted && !options.yes) {
      out.note(`${plain(state.project)}\n${trustAtLength(state, out.style)}`);
      const answer = await person.confirm("Trust this project to run these?", out.signal);
      if (answer === undefined) throw nobodyToAsk();
      if (!answer) {
        out.note("Nothing was trusted.");
        return 1;
      }
    }
    if (!state.trusted) await person.giveTrust(state);
    const items = state.items.map((item) => ({ ...item, status: "trusted" as const }));
    out.data({ ...state, trusted: true, items }, (now) =>
      [`${out.style.green("Trusted:")} ${plain(now.project)}`, trustAtLength(now, out.style)].join("\n"),
    );
    return 0;
  },
});

function nobodyToAsk(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "Trust is given by a person, and there is no terminal to ask on.", {
    next: [
      "Run `forge trust` in a terminal.",
      "Ask the person whose project it is; `forge status` shows what would run, `forge trust --help` how it is given without a terminal.",
    ],
  });
}
