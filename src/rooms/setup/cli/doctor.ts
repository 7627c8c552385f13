import type { App } from "../../../commons/cli/app.ts";
import { wordForShell } from "../../../commons/cli/command-line.ts";
import { defineCommand, type Output, type Style } from "../../../kernel/definitions/command.ts";
import { padText, plain } from "../../../platform/terminal/text.ts";
import type { Finding } from "../doctor/model.ts";
import type { SetupServices } from "../services.ts";

const colours: Record<Finding["state"], keyof Style> = { ok: "green", warning: "yellow", problem: "red" };

/** A finding as it is printed. `mend` is what scripts know `next` by. */
type Printed = Omit<Finding, "next"> & { mend: string[] };

export const doctor = defineCommand({
  name: "doctor",
  summary: "Check that everything Forge needs is in place",
  details:
    "Checks Node.js, git, the repository, your settings, the store, the PATH, the configuration of your assistants, your " +
    "team's server and more, and suggests a fix for each problem. It changes nothing, and connects only to the database and " +
    "the Forge server that you have configured.\n\n--fix repairs what is safe to repair: permissions of Forge's own files, a " +
    "missing .gitignore beside the store, leftover files. The exit code is 1 if there is a problem, and 0 if there are only " +
    "warnings.",
  examples: [
    ["forge doctor", "Check everything."],
    ["forge doctor --fix", "Repair what is safe to repair."],
    ["forge doctor --json", "The same for a script, or for a bug report."],
  ],
  options: { fix: { type: "boolean", help: "Repair what is safe to repair." } },
  // None, so that it runs whatever the settings are; what is wrong with them is a finding.
  settings: [],
  group: "start",
  common: true,
  async run(app: App, { options }, out) {
    const { doctor: examiner } = await app.room<SetupServices>("setup");
    const word = wordForShell(await app.commands.facts());
    const findings = await examiner.examine({ fix: options.fix ?? false }, out.signal);
    const printed = findings.map(({ next, fixable, fixed, ...finding }): Printed => {
      const mend = next.map(word);
      return { ...finding, mend, fixable, ...(fixed !== undefined && { fixed }) };
    });
    out.data(printed, () => report(printed, out));
    return findings.some(({ state }) => state === "problem") ? 1 : 0;
  },
});

function report(findings: Printed[], { style }: Output): string {
  const lines = findings.flatMap(({ state, title, message, mend, fixed }) => [
    `${style[colours[state]](padText(state, 7))}  ${style.bold(plain(title))}: ${plain(message)}`,
    ...(fixed === undefined ? [] : [`${gap}${style.green("fixed:")} ${plain(fixed)}`]),
    ...mend.map((line) => gap + plain(line)),
  ]);
  return [...lines, "", summary(findings)].join("\n");
}

const gap = " ".repeat(9);

function summary(findings: Printed[]): string {
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  const fixable = findings.filter(({ fixable, state }) => fixable && state !== "ok").length;
  const hint = fixable > 0 ? ` Run \`forge doctor --fix\` to fix ${fixable} of them.` : "";
  if (problems + warnings === 0) return "No problems found.";
  return `${countOf(problems, "problem")}, ${countOf(warnings, "warning")}.${hint}`;
}

function countOf(number: number, what: string): string {
  return `${number} ${number === 1 ? what : `${what}s`}`;
}
