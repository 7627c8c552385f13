import type { TrustState } from "../../../commons/trust/trust-desk.ts";
import { defineCommand } from "../../../kernel/command.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { App } from "../app.ts";
import { plain } from "../text.ts";
import { trustAtLength, trustInShort } from "../trust-text.ts";

const everything = { toolsets: "auto", profile: undefined, readOnly: false };

export const status = defineCommand({
  name: "status",
  summary: "Show where the project stands, and if it is trusted",
  details:
    "The project, where its data is, what is served, and whether it is trusted. Trust comes with all that may run and its content's hash, and with what was changed or added since a person " +
    "trusted it. Nothing is run, and nothing is created.",
  examples: [
    ["forge status", "Where things stand in the current folder."],
    ["forge status --json", "The same for a script: `.trust.trusted` is true or false."],
  ],
  settings: ["project", "databaseUrl"],
  group: "look",
  async run(app: App, _input, out) {
    const project = app.project();
    const served = (await app.toolsets(everything)).filter((toolset) => toolset.served).map(({ name }) => name);
    const trust = await trustOf(app, out.signal);
    out.data({ version: app.version, project, toolsets: served, trust }, () => {
      const { store } = project;
      const kept = `${plain(store.place)}${store.exists ? "" : " (not made yet)"}`;
      return [
        `Project:   ${out.style.bold(plain(project.root))}${project.inGit ? "" : " (not in git)"}`,
        `Store:     ${store.engine === "sqlite" ? `SQLite, ${kept}` : `PostgreSQL, ${kept}`}`,
        `Toolsets:  ${served.join(", ") || "none"}`,
        ...("error" in trust
          ? [`Trust:     ${out.style.red("unknown")}: ${plain(trust.error)}`]
          : [`Trust:     ${trustInShort(trust, out.style)}`, trustAtLength(trust, out.style)]),
      ].join("\n");
    });
    return 0;
  },
});

/** What keeps trust from being known is part of the status, not the end of it. */
async function trustOf({ person }: App, signal: AbortSignal): Promise<TrustState | { trusted: false; error: string }> {
  try {
    return await person.trust(signal);
  } catch (error) {
    if (error instanceof ForgeError) return { trusted: false, error: error.message };
    throw error;
  }
}
