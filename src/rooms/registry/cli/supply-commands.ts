import type { App } from "../../../commons/cli/app.ts";
import { commandFor } from "../../../commons/cli/command-for.ts";
import { printList } from "../../../commons/cli/print/list.ts";
import type { Command, Output } from "../../../kernel/definitions/command.ts";
import { plain } from "../../../platform/terminal/text.ts";
import type { InstallStep } from "../client/install/installer.ts";
import type { registryInstall } from "../tools/supply/registry-install.ts";
import type { registryListVersions } from "../tools/supply/registry-list-versions.ts";
import type { registryLock } from "../tools/supply/registry-lock.ts";
import type { registryLogin } from "../tools/supply/registry-login.ts";
import type { registryLogout } from "../tools/supply/registry-logout.ts";
import type { registryPublish } from "../tools/supply/registry-publish.ts";
import type { registryUninstall } from "../tools/supply/registry-uninstall.ts";
import type { registryUpdate } from "../tools/supply/registry-update.ts";
import type { registryWhoami } from "../tools/supply/registry-whoami.ts";
import type { registryYank } from "../tools/supply/registry-yank.ts";
import { printFields, registrySettings } from "./layout.ts";

const facts = { settings: registrySettings, group: "more" as const, isQuiet: true as const };
const globally = { global: { short: "g" } };

type Result = { steps: InstallStep[]; dryRun: boolean };

function printSteps({ steps, dryRun }: Result, out: Output, none: string): void {
  const columns = [
    { title: "NAME", cell: ({ name }: InstallStep) => name },
    {
      title: "VERSION",
      cell: ({ version, from }: InstallStep) => (from && from !== version ? `${from} → ${version}` : version),
    },
    { title: "CHANGE", cell: ({ change }: InstallStep) => change },
    { title: "REGISTRY", cell: ({ registry }: InstallStep) => registry },
    { title: "NEEDED BY", cell: ({ requiredBy = "" }: InstallStep) => requiredBy },
    { title: "SIGNED", cell: ({ signed }: InstallStep) => (signed ? "yes" : "no") },
  ];
  printList({ columns, rows: steps, none }, out);
  if (dryRun && steps.length > 0) out.note("Nothing was changed (dry run).");
}

const install = commandFor<typeof registryInstall>({
  ...facts,
  tool: "registry_install",
  name: "registry install",
  summary: "Install a plugin and what it depends on",
  examples: [
    ["forge registry install @acme/review", "Its latest version, for this project."],
    ["forge registry install ./checkout#review --dry-run", "Show what installing a plugin from a folder would change."],
  ],
  arguments: [{ field: "plugin", required: false }],
  options: {
    ...globally,
    force: { short: "f" },
    hooks: { flag: "no-hooks" },
    commands: { flag: "no-commands" },
    dependencies: { flag: "no-dependencies" },
  },
  /** On a terminal, the plan is shown before anything is changed. */
  async instead(input, out, { app, call }) {
    if (out.json || input.dryRun || !app.terminal.ask) return undefined;
    const plan = await call<typeof registryInstall>("registry_install", { ...input, dryRun: true });
    const changes = plan.steps.filter(({ change }) => change !== "unchanged");
    if (changes.length < 2) return undefined;
    printSteps(plan, out, "");
    const answer = await app.terminal.ask(`Install ${changes.length} plugins? [Y/n] `, out.signal);
    return answer !== undefined && /^(?:y|yes)?$/i.test(answer.trim()) ? undefined : 1;
  },
  print: (result, out) => printSteps(result, out, "Nothing to install."),
});

const update = commandFor<typeof registryUpdate>({
  ...facts,
  tool: "registry_update",
  name: "registry update",
  summary: "Update installed plugins",
  examples: [["forge registry update --dry-run", "What would be updated."]],
  arguments: [{ field: "plugin", required: false }],
  options: { ...globally, all: { short: "a" } },
  print: (result, out) => printSteps(result, out, "No plugins are installed."),
});

const uninstall = commandFor<typeof registryUninstall>({
  ...facts,
  tool: "registry_uninstall",
  name: "registry uninstall",
  summary: "Uninstall a plugin",
  examples: [["forge registry uninstall @acme/review", "From this project."]],
  options: globally,
  print: ({ path, dryRun }, out) => out.print(`${dryRun ? "Would remove" : "Removed"} ${plain(path)}`),
});

const versions = commandFor<typeof registryListVersions>({
  ...facts,
  tool: "registry_list_versions",
  name: "registry versions",
  summary: "List the versions of an agent or tool",
  examples: [
    ["forge registry versions reviewer", "List its versions in this project, in your home folder and in registries."],
  ],
  print: (found, out) =>
    printList(
      {
        columns: [
          { title: "VERSION", cell: ({ version }) => version },
          { title: "SOURCE", cell: ({ source }) => source },
          { title: "PATH", cell: ({ path }) => path, shrinks: true },
        ],
        rows: found.versions,
        none: "No versions found.",
      },
      out,
    ),
});

const lock = commandFor<typeof registryLock>({
  ...facts,
  tool: "registry_lock",
  name: "registry lock",
  summary: "Write the lock file",
  examples: [["forge registry lock", "What is installed and defined here."]],
  options: { ...globally, update: { short: "u" }, force: { short: "f" } },
  print: ({ path, plugins, parts, dryRun }, out) =>
    out.print(`${dryRun ? "Would write" : "Wrote"} ${plain(path)}: ${plugins} plugins, ${parts} agents and tools.`),
});

const publish = commandFor<typeof registryPublish>({
  ...facts,
  tool: "registry_publish",
  name: "registry publish",
  summary: "Publish a plugin",
  examples: [["forge registry publish --dry-run", "What would be published."]],
  arguments: [{ field: "folder", required: false }],
  options: { sign: { flag: "no-sign" }, registry: { value: "NAME" } },
  print: ({ name, version, registry, isNew, dryRun, files, integrity }, out) => {
    if (dryRun) for (const file of files) out.note(plain(file));
    const what = `${plain(name)} ${plain(version)}`;
    const done = isNew ? `Published ${what} to` : `${what} is already on`;
    out.print(
      dryRun ? `Would publish ${what} to ${plain(registry)} (${files.length} files).` : `${done} ${plain(registry)}.`,
    );
    out.note(integrity);
  },
});

const yank = commandFor<typeof registryYank>({
  ...facts,
  tool: "registry_yank",
  name: "registry yank",
  summary: "Withdraw a published version",
  examples: [
    [
      'forge registry yank @acme/review@1.2.0 --reason "Deletes files"',
      "Withdraw a version, so that new installations do not choose it.",
    ],
  ],
  options: { registry: { value: "NAME" } },
  print: ({ name, version, yanked }, out) =>
    out.print(`${yanked ? "Withdrew" : "Offering again:"} ${plain(name)} ${plain(version)}`),
});

const login = commandFor<typeof registryLogin>({
  ...facts,
  tool: "registry_login",
  name: "registry login",
  summary: "Sign in to a registry",
  examples: [["forge registry login acme", "Asks for an API token of the server."]],
  arguments: [{ field: "registry", required: false }],
  toInput: async (given, { app, out }) => {
    if (given["token"] !== undefined || out.json || !app.terminal.ask) return given as never;
    const token = (await app.terminal.ask("API token: ", out.signal))?.trim();
    return { ...given, ...(token && { token }) } as never;
  },
  print: ({ registry, name, email }, out) =>
    out.print(`Signed in to ${plain(registry)} as ${plain(name)} (${plain(email)}).`),
});

const logout = commandFor<typeof registryLogout>({
  ...facts,
  tool: "registry_logout",
  name: "registry logout",
  summary: "Sign out of a registry",
  examples: [["forge registry logout acme", "Removes the saved token."]],
  arguments: [{ field: "registry", required: false }],
  print: ({ registry, removed }, out) =>
    out.print(removed ? `Signed out of ${plain(registry)}.` : `No token was saved for ${plain(registry)}.`),
});

const whoami = commandFor<typeof registryWhoami>({
  ...facts,
  tool: "registry_whoami",
  name: "registry whoami",
  summary: "Show who you are to a registry",
  examples: [["forge registry whoami acme", "The user of your token."]],
  arguments: [{ field: "registry", required: false }],
  print: (user, out) => printFields(user, out),
});

export const supplyCommands: Command<App>[] = [
  install,
  update,
  uninstall,
  versions,
  lock,
  publish,
  yank,
  login,
  logout,
  whoami,
];
