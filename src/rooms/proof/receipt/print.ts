import { visible } from "../../../kernel/text/visible.ts";
import { describeCheck } from "../service/describe-check.ts";
import { describeSource, type Receipt, resultOf } from "./receipt.ts";

const marks: Record<string, string> = { proven: "✅", failed: "❌", unproven: "⚠️", waived: "➖" };

const maxDescription = 2_000;

/** For a pull request. Text from the ticket is put where it cannot become markup of its own. */
export function toMarkdown(receipt: Receipt): string {
  const { ticket, criteria, work, commit, base, by, machine, at } = receipt;
  const rows = criteria.map(
    ({ id, text, state, why }) => `| ${id} | ${cell(text)} | ${marks[state] ?? ""} ${state} | ${cell(why)} |`,
  );
  return [
    `## ${cell(ticket.id)}: ${cell(ticket.title)}`,
    "",
    `**${resultOf(receipt)}** at \`${commit.slice(0, 12)}\`${base ? `, compared with \`${base.slice(0, 12)}\`` : ""}. Verified by ${cell(by)} on ${cell(machine)}, ${at}.${cell(describeIssuer(receipt))}`,
    "",
    ...(ticket.description === undefined ? [] : [cell(ticket.description.slice(0, maxDescription)), ""]),
    "| | Criterion | State | Evidence |",
    "|---|---|---|---|",
    ...rows,
    "",
    "### Checks",
    "",
    ...listChecks(receipt).map((line) => `- ${cell(line)}`),
    "",
    "### Work",
    "",
    ...(work.length === 0 ? ["- No execution was recorded."] : work.map((one) => `- ${cell(describeWork(one))}`)),
    ...formatSection("### Invariants", listRules(receipt)),
    ...formatSection("### Waived", listWaived(receipt)),
    ...formatSection("### Not verified", listOpen(receipt)),
    "",
  ].join("\n");
}

export function toHtml(receipt: Receipt): string {
  const { ticket, criteria, work, commit, by, machine, at } = receipt;
  const list = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? "" : `<h2>${title}</h2><ul>${lines.map((line) => `<li>${html(line)}</li>`).join("")}</ul>`;
  const rows = criteria.map(
    ({ id, text, state, why }) =>
      `<tr class="${state}"><td>${html(id)}</td><td>${html(text)}</td><td>${state}</td><td>${html(why)}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${html(ticket.id)}: ${html(ticket.title)}</title>
<style>body{font:16px/1.5 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}td,th{border:1px solid #8888;padding:.4rem .6rem;text-align:left}.proven td:nth-child(3){color:#187a2f}.failed td:nth-child(3){color:#b3261e}</style></head>
<body><h1>${html(ticket.id)}: ${html(ticket.title)}</h1><p>${html(ticket.description ?? "")}</p>
<p><strong>${resultOf(receipt)}</strong> at <code>${html(commit)}</code>, verified by ${html(by)} on ${html(machine)}, ${html(at)}.${html(describeIssuer(receipt))}</p>
<table><tr><th></th><th>Criterion</th><th>State</th><th>Evidence</th></tr>${rows.join("")}</table>
${list("Checks", listChecks(receipt))}${list("Work", work.map(describeWork))}${list("Invariants", listRules(receipt))}${list("Waived", listWaived(receipt))}${list("Not verified", listOpen(receipt))}
</body></html>
`;
}

function listChecks({ criteria }: Receipt): string[] {
  return criteria.flatMap(({ checks }) =>
    checks.map(
      ({ id, how, state, why, changed, source }) =>
        `${id} ${describeCheck(how)}: ${state}; ${describeSource(source)}. ${why}${changed ? " (written or changed by the same work)" : ""}`,
    ),
  );
}

function describeIssuer({ issuer }: Receipt): string {
  return issuer ? ` Issued by ${issuer.server} for the team ${issuer.team.name}.` : "";
}

function describeWork({ execution, status, by, agent, commit, files = [], tests }: Receipt["work"][number]): string {
  const parts = [
    `${status}${commit === undefined ? "" : ` ${commit.slice(0, 12)}`}`,
    agent === undefined ? `by ${by}` : `by ${by} with ${agent}`,
    ...(files.length > 0 ? [`files: ${files.join(", ")}`] : []),
    ...(tests ? [`tests ${tests.status}: ${tests.passed} passed, ${tests.failed} failed`] : []),
  ];
  return `${execution}: ${parts.join("; ")}`;
}

function listRules({ rules = [] }: Receipt): string[] {
  return rules.map(({ name, status, why }) => `${name}: ${status.replace("_", " ")}. ${why}`);
}

function listWaived({ waived }: Receipt): string[] {
  return waived.map(
    ({ criterion, reason, until, by }) => `${criterion} by ${by} until ${until.slice(0, 10)}: ${reason}`,
  );
}

function listOpen({ criteria }: Receipt): string[] {
  return criteria.filter(({ state }) => state === "unproven").map(({ id, why }) => `${id}: ${why}`);
}

function formatSection(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", title, "", ...lines.map((line) => `- ${cell(line)}`)];
}

/** One line, without what Markdown, HTML or a table would take for markup. */
function cell(text: string): string {
  return visible(text.replaceAll(/\s+/g, " "))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]|@#!]/g, (character) => `\\${character}`);
}

function html(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return visible(text.replaceAll(/\s+/g, " ")).replaceAll(/[&<>"']/g, (character) => names[character] ?? "");
}
