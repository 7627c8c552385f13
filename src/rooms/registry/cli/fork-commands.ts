import type { App } from "../../../commons/cli/app.ts";
import { commandFor } from "../../../commons/cli/command-for.ts";
import { printList } from "../../../commons/cli/print/list.ts";
import type { Command } from "../../../kernel/definitions/command.ts";
import { plain, plainLines } from "../../../platform/terminal/text.ts";
import type { registryExport } from "../tools/change/registry-export.ts";
import type { registryFork } from "../tools/change/registry-fork.ts";
import type { registryMerge } from "../tools/change/registry-merge.ts";
import type { fractaryForgeForkCheck } from "../tools/fork/fractary-forge-fork-check.ts";
import type { fractaryForgeForkDiff } from "../tools/fork/fractary-forge-fork-diff.ts";
import type { fractaryForgeForkInfo } from "../tools/fork/fractary-forge-fork-info.ts";
import type { fractaryForgeForkList } from "../tools/fork/fractary-forge-fork-list.ts";
import { printFields, printWritten, registrySettings } from "./layout.ts";

const facts = { settings: registrySettings, group: "more" as const, isQuiet: true as const };

const create = commandFor<typeof registryFork>({
  ...facts,
  tool: "registry_fork",
  name: "registry fork create",
  aliases: ["registry fork"],
  summary: "Fork an agent or tool",
  examples: [
    ["forge registry fork create reviewer my-reviewer", "A copy in .fractary/agents that follows its upstream."],
  ],
  arguments: ["source", { field: "name", required: false }],
  options: { dryRun: { short: "d" } },
  print: ({ path, upstream, dryRun }, out) =>
    printWritten(`Forked ${plain(upstream.name)}@${plain(upstream.version)} to`, { path, dryRun }, out),
});

const list = commandFor<typeof fractaryForgeForkList>({
  ...facts,
  tool: "fractary_forge_fork_list",
  name: "registry fork list",
  summary: "List forks",
  examples: [["forge registry fork list", "The forks of this project."]],
  options: { type: { help: "Only agents, or only tools." } },
  print: ({ forks }, out) => {
    type Row = (typeof forks)[number];
    const columns = [
      { title: "NAME", cell: ({ name }: Row) => name },
      { title: "TYPE", cell: ({ type }: Row) => type },
      { title: "UPSTREAM", cell: ({ upstream }: Row) => `${upstream.name}@${upstream.version}` },
      { title: "UPDATE", cell: ({ hasUpstreamUpdate }: Row) => (hasUpstreamUpdate ? "yes" : "no") },
    ];
    printList({ columns, rows: forks, none: "No forks." }, out);
  },
});

const info = commandFor<typeof fractaryForgeForkInfo>({
  ...facts,
  tool: "fractary_forge_fork_info",
  name: "registry fork info",
  summary: "Show a fork",
  examples: [["forge registry fork info my-reviewer", "Where it comes from."]],
  print: ({ upstream, ...fork }, out) =>
    printFields(
      { ...fork, upstream: `${upstream.name}@${upstream.version} (latest: ${upstream.currentVersion})` },
      out,
    ),
});

const diff = commandFor<typeof fractaryForgeForkDiff>({
  ...facts,
  tool: "fractary_forge_fork_diff",
  name: "registry fork diff",
  summary: "Show what a fork changed",
  examples: [["forge registry fork diff my-reviewer", "Compared with the version it was made from."]],
  options: { format: { help: "How to show it." } },
  print: ({ differences, diff: text, summary }, out) => {
    out.print(
      text === undefined
        ? differences.map(({ field, changeType }) => `${changeType}\t${plain(field)}`).join("\n")
        : plainLines(text),
    );
    out.note(`${summary.added} added, ${summary.removed} removed, ${summary.modified} modified`);
  },
});

const check = commandFor<typeof fractaryForgeForkCheck>({
  ...facts,
  tool: "fractary_forge_fork_check",
  name: "registry fork check",
  summary: "Check forks for upstream updates",
  examples: [["forge registry fork check", "All forks."]],
  arguments: [{ field: "name", required: false, help: "The fork (default: all)." }],
  print: ({ updates }, out) => {
    type Row = (typeof updates)[number];
    const columns = [
      { title: "NAME", cell: ({ name }: Row) => name },
      { title: "LOCAL", cell: ({ localVersion }: Row) => localVersion },
      { title: "UPSTREAM", cell: ({ upstreamVersion }: Row) => upstreamVersion },
      { title: "BREAKING", cell: ({ breakingChanges }: Row) => (breakingChanges ? "yes" : "no") },
    ];
    printList({ columns, rows: updates, none: "All forks are up to date." }, out);
  },
});

const merge = commandFor<typeof registryMerge>({
  ...facts,
  tool: "registry_merge",
  name: "registry merge",
  summary: "Merge upstream changes into a fork",
  examples: [["forge registry merge my-reviewer --dry-run", "What would change."]],
  arguments: ["name", { field: "upstream", required: false }],
  options: { strategy: { short: "s" }, base: { short: "b", value: "VERSION" } },
  print: ({ path, from, to, changed, conflicts, text, dryRun }, out) => {
    if (from === to) return out.print(`${plain(path)} is up to date with ${plain(to)}.`);
    printWritten(`Merged ${plain(from)} → ${plain(to)} into`, { path, text, dryRun }, out);
    for (const field of changed) out.note(`updated: ${plain(field)}`);
    for (const field of conflicts) out.note(`${out.style.yellow("conflict:")} ${plain(field)}`);
  },
  exitCode: ({ conflicts }) => (conflicts.length > 0 ? 1 : 0),
});

const exportCommand = commandFor<typeof registryExport>({
  ...facts,
  tool: "registry_export",
  name: "registry export",
  summary: "Write a definition in another client's form",
  examples: [["forge registry export reviewer --to claude-agent", "As .claude/agents/reviewer.md."]],
  arguments: ["name"],
  options: { folder: { path: "folder" } },
  print: ({ files, dryRun }, out) => {
    for (const file of files) printWritten("Wrote", { ...file, dryRun }, out);
  },
});

export const forkCommands: Command<App>[] = [create, list, info, diff, check, merge, exportCommand];
