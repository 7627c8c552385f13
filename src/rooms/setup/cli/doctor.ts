import type { App } from "../../../commons/cli/app.ts";
import { defineCommand, type Output, type Style } from "../../../kernel/command.ts";
import { pad, plain } from "../../../platform/terminal/text.ts";
import type { Finding } from "../doctor/index.ts";

const colours: Record<Finding["state"], keyof Style> = { ok: "green", warning: "yellow", problem: "red" };

export const doctor = defineCommand({
  name: "doctor",
  summary: "Look whether everything Forge needs is in order",
  details:
    "Looks at Node.js, git, the repository, your settings, the store, the PATH, the assistants' configuration, your team's " +
    "server and more, and says of each what is wrong and how to mend it. It changes nothing, and asks nobody outside this " +
    "machine but the database and the Forge server that you have configured.\n\nWith --fix it mends what can be mended " +
    "without any risk: rights of other users on Forge's own files, a missing .gitignore beside the store, leftovers. It " +
    "exits with 1 where there is a problem, and with 0 where there are only warnings.",
  examples: [
    ["forge doctor", "Look at everything."],
    ["forge doctor --fix", "Mend what is safe to mend, and say what was done."],
    ["forge doctor --json", "The same for a script, or for a bug report."],
  ],
  options: { fix: { type: "boolean", help: "Mend what can be mended without any risk." } },
  // None, so that it runs whatever the settings are; what is wrong with them is a finding.
  settings: [],
  group: "start",
  async run(app: App, { options }, out) {
    const findings = await app.doctor(options.fix ?? false, out.signal);
    out.data(findings, () => report(findings, out));
    return findings.some(({ state }) => state === "problem") ? 1 : 0;
  },
});

function report(findings: Finding[], { style }: Output): string {
  const lines = findings.flatMap(({ state, title, message, mend, fixed }) => [
    `${style[colours[state]](pad(state, 7))}  ${style.bold(plain(title))}: ${plain(message)}`,
    ...(fixed === undefined ? [] : [`${gap}${style.green("fixed:")} ${plain(fixed)}`]),
    ...mend.map((line) => gap + plain(line)),
  ]);
  return [...lines, "", summary(findings)].join("\n");
}

const gap = " ".repeat(9);

function summary(findings: Finding[]): string {
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  const fixable = findings.filter(({ fixable, state }) => fixable && state !== "ok").length;
  const hint = fixable > 0 ? ` \`forge doctor --fix\` mends ${fixable} of them.` : "";
  if (problems + warnings === 0) return "All is well.";
  return `${counted(problems, "problem")}, ${counted(warnings, "warning")}.${hint}`;
}

function counted(number: number, what: string): string {
  return `${number} ${number === 1 ? what : `${what}s`}`;
}
