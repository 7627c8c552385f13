import { expect, test } from "vitest";
import { bmadKit as kit } from "../../../../../test/harness/rooms/memory/bmad-kit.ts";
import { startMemoryServer } from "../../../../../test/harness/rooms/memory/memory-server.ts";

type Context = {
  name: string;
  stack: Item[];
  decisions: Item[];
  architecture: Item[];
  agents: { id: string }[];
  problems: unknown[];
};
type Item = { text: string; source: string; date?: string };

test("the context of a kit project, each item with its file and line", async () => {
  const { ok } = await startMemoryServer({ files: kit });
  const context = await ok<Context>("get_project_context");
  expect(context).toMatchObject({ name: "Demo Project", description: "A shop on terraform", problems: [] });
  expect(context.stack).toEqual([
    { text: "terraform", source: "project-context.yaml:6" },
    { text: "proxmox", source: "project-context.yaml:7" },
  ]);
  expect(context.decisions.map(({ text, date, source }) => [text, date, source])).toEqual([
    ["[2026-03-05] Rename the service", "2026-03-05", "_bmad/_memory/decisions-log.md:6"],
    ["[ARCH] Use PostgreSQL 16", "2026-02-01", "_bmad/_memory/decisions-log.md:4"],
    ["[2026-01-02] Use VLANs", "2026-01-02", "_bmad/_memory/shared-context.md:11"],
  ]);
  expect(context.architecture.map(({ text }) => text)).toEqual(["[ARCH] Use PostgreSQL 16", "Proxmox 8, three nodes"]);
  expect(context.agents.map(({ id }) => id)).toEqual(["frontend-specialist", "ops-engineer", "typescript-expert"]);
  expect(JSON.stringify(context)).not.toMatch(/\{\{|hidden/);
  expect(Object.keys(await ok("get_project_context", { section: "stack" }))).not.toContain("decisions");
});

test("the successor's folders, and a project with none of them", async () => {
  const renamed = Object.fromEntries(
    Object.entries(kit).map(([path, text]) => [path.replace("_bmad", "_grimoire"), text]),
  );
  const { ok } = await startMemoryServer({ files: renamed });
  expect((await ok<Context>("get_project_context")).decisions).toHaveLength(3);
  const bare = await startMemoryServer({ name: "plain" });
  expect(await bare.ok("get_project_context")).toMatchObject({
    name: "plain",
    agents: [],
    decisions: [],
    installed: [],
  });
  expect(await bare.ok("get_workflow_status")).toEqual({ kind: "none", problems: [] });
  expect(await bare.ok("list_sessions")).toEqual({ sessions: [], problems: [] });
});

test("the successor's newer layout, and a log in which each decision is a section", async () => {
  const log = [
    ...["# Decisions", "> Agents note decisions here.", "## Format", "```", "### [YYYY-MM-DD] Title", "```"],
    ...["## Décisions", "*(Decisions will be logged here)*"],
    ...[
      "### [2026-09-08] [ARCH] One model per agent",
      "- **Contexte** : Cost.",
      "- **Décision** : The largest only plans.",
    ],
    ...["### [2026-09-09] Published", "- **Contexte** : The tag is there."],
  ];
  const activation = "AGENT_TAG=stack | AGENT_NAME=Stack | LEARNINGS_FILE=backend-engineering | DOMAIN_WORD=backend";
  const { ok } = await startMemoryServer({
    files: {
      "_grimoire/_memory/decisions-log.md": `${log.join("\n")}\n`,
      "_grimoire/_memory/agent-learnings/backend-engineering.md": "# Learnings\n- [2026-09-01] Pool connections\n",
      "_grimoire/kit/framework/agent-base.md": "# Base\n",
      "_grimoire/kit/agents/backend-engineer.md": `<!-- archetype -->\n---\nname: "backend-engineer"\ndescription: "Backend"\n---\n\`\`\`xml\n<agent name="Stack" title="Backend Engineer">\n${activation}\n\`\`\`\n`,
    },
  });
  const context = await ok<Context & { installed: { file: string }[] }>("get_project_context");
  expect(context.decisions.map(({ text, date, source }) => [text, date, source.split(":")[1]])).toEqual([
    ["Published", "2026-09-09", "12"],
    ["[ARCH] One model per agent: The largest only plans.", "2026-09-08", "9"],
  ]);
  expect(context.architecture).toHaveLength(1);
  expect(context.installed).toMatchObject([{ file: "_grimoire/kit/framework/agent-base.md" }]);
  expect(context.agents).toMatchObject([{ id: "backend-engineer", name: "Stack", tag: "stack" }]);
  const memory = await ok<{ learnings: { text: string }[] }>("get_agent_memory", { agent: "stack" });
  expect(memory.learnings.map(({ text }) => text)).toEqual(["Pool connections"]);
});

test("BMAD-METHOD and the kit's successor in one project are both read", async () => {
  const renamed = Object.entries(kit).map(([path, text]) => [path.replace("_bmad", "_grimoire"), text]);
  const museum = (title: string) => `## 🔴 Critiques\n### [2026-01-01] [dev] CC-FAIL — ${title}\n`;
  const { ok } = await startMemoryServer({
    files: {
      ...Object.fromEntries(renamed),
      "_bmad/_config/manifest.yaml": "installation:\n  version: 6.0.1\n",
      "_bmad/bmm/agents/dev.md": '<agent id="dev.md" name="Amelia" title="Developer"/>\n',
      "_bmad/_memory/shared-context.md": "## Conventions\n- Spaces\n",
      "_bmad/_memory/failure-museum.md": museum("one"),
      "_grimoire/_memory/failure-museum.md": museum("other"),
      "_grimoire-output/.runs/main/branch.json": '{"branch":"main","status":"active"}',
      "_bmad-output/notes.md": "",
    },
  });
  const context = await ok<Context & { shared: { text: string }[] }>("get_project_context");
  expect(context).toMatchObject({
    installed: [{ name: "bmad-method", version: "6.0.1" }, { name: "bmad-custom-kit" }],
  });
  expect(context.agents.map(({ id }) => id)).toEqual([
    "dev",
    "frontend-specialist",
    "ops-engineer",
    "typescript-expert",
  ]);
  expect(context.shared.map(({ text }) => text)).toEqual(expect.arrayContaining(["Spaces", "Tabs"]));
  const { learnings } = await ok<{ learnings: unknown[] }>("get_agent_memory", { agent: "ops-engineer" });
  expect(learnings).toHaveLength(3);
  expect(await ok("get_failure_museum")).toMatchObject({ total: 2 });
  expect(await ok("list_sessions")).toMatchObject({ sessions: [{ branch: "main", status: "active" }] });
});

test("documents as BMAD-METHOD writes them: parts of a chapter belong to it, and templates are no agents", async () => {
  const { ok } = await startMemoryServer({
    files: {
      "_bmad/_config/manifest.yaml": "installation:\n  version: 6.10.0\n",
      "_bmad/_config/agent-manifest.csv": "name,displayName\ndev,Amelia\ncustom-agent.tpl,x\n",
      ".claude/skills/bmad-cis-agent-storyteller/SKILL.md": "---\nname: bmad-cis-agent-storyteller\n---\n",
      ".claude/skills/bmad-create-story/SKILL.md": "---\nname: bmad-create-story\n---\n",
      "_bmad-output/project-context.md":
        "# Project Context\n\n## Technology Stack & Versions\n\n### Runtime\n- Python 3.12\n\n## Rules\n\n### Language\n- Type hints\n",
      "_bmad-output/planning-artifacts/architecture.md":
        "# Architecture\n\n## Deferred Decisions\n\n### Later\n- Sharding\n\n## Core Architectural Decisions\n\n### Decision Priority Analysis\n- Weighed\n\n### Data Architecture\n- No database in v1\n",
    },
  });
  const context = await ok<Context & { shared: { text: string }[] }>("get_project_context");
  expect(context.stack).toEqual([{ text: "Python 3.12", source: "_bmad-output/project-context.md:6" }]);
  expect(context.shared.map(({ text }) => text)).toEqual(["Type hints"]);
  expect(context.decisions.map(({ text }) => text)).toEqual(["Data Architecture: No database in v1"]);
  expect(context.agents.map(({ id }) => id)).toEqual(["dev", "storyteller"]);
});

test("documents where other teams keep them: the context in the root, decisions and stack in tables, blanks left out", async () => {
  const { ok } = await startMemoryServer({
    files: {
      "_bmad/_config/manifest.yaml": "installation:\n  version: 6.0.0-Beta.7\n",
      "_bmad/_memory/shared-context.md":
        "## Projet\n- **Type** : À compléter\n\n## Conventions\n- À compléter selon les besoins\n",
      "project-context.md": "# Rules\n\n## Shell\n- Chain commands with ;\n",
      "_bmad-output/planning-artifacts/architecture.md":
        "# Architecture\n\n## Decision Summary\n\n| Category | Decision |\n| --- | --- |\n| Desktop | Tauri 2.0 |\n| State | Zustand |\n\n## Technology Stack Details\n\n### Core Technologies\n- TypeScript 5\n\n## Data Flow\n- Events\n",
    },
  });
  const context = await ok<Context & { shared: { text: string }[] }>("get_project_context");
  expect(context.shared.map(({ text }) => text)).toEqual(["Chain commands with ;"]);
  expect(context.decisions.map(({ text, source }) => [text, source.split(":")[1]])).toEqual([
    ["Desktop | Tauri 2.0", "7"],
    ["State | Zustand", "8"],
  ]);
  expect(context.stack.map(({ text }) => text)).toEqual(["TypeScript 5"]);
  expect(context.architecture.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["Desktop | Tauri 2.0", "Data Flow: Events"]),
  );
});

test("version 4: agents with their personas, the version, and the documents in docs", async () => {
  const { ok } = await startMemoryServer({
    files: {
      ".bmad-core/install-manifest.yaml": "version: 4.44.1\ninstall_type: full\n",
      ".bmad-core/agents/architect.md":
        "# architect\n\n```yaml\nactivation-instructions:\n  - STEP 1\nagent:\n  name: Winston\n  id: architect\n  title: Architect\n  whenToUse: Use for system design\n  customization: null\npersona:\n  role: Holistic\n```\n",
      "docs/architecture.md": "# Shop\n\n## Tech Stack\n- Express 4\n\n## Data Models\n- Ticket\n",
    },
  });
  const context = await ok<Context>("get_project_context");
  expect(context).toMatchObject({
    installed: [{ name: "bmad-method", version: "4.44.1", file: ".bmad-core/install-manifest.yaml" }],
    agents: [
      {
        ...{ id: "architect", name: "Winston", title: "Architect", description: "Use for system design" },
        source: ".bmad-core/agents/architect.md",
      },
    ],
    stack: [{ text: "Express 4", source: "docs/architecture.md:4" }],
    problems: [],
  });
  expect(await ok("get_agent_memory", { agent: "Winston" })).toMatchObject({ learnings: [] });
});

test("files that are broken, huge or not text are named and do not matter otherwise", async () => {
  const { ok, write } = await startMemoryServer({ files: kit });
  write("project-context.yaml", `a: &a [x]\nb: ${"[".repeat(500)}`);
  write("_bmad/_memory/decisions-log.md", Buffer.from([0xff, 0xfe, 0, 1]));
  write("_bmad/_memory/shared-context.md", Buffer.alloc(50 * 1_048_576, "x"));
  const context = await ok<Context & { problems: { file: string }[] }>("get_project_context");
  expect(new Set(context.problems.map(({ file }) => file))).toEqual(
    new Set(["project-context.yaml", "_bmad/_memory/decisions-log.md", "_bmad/_memory/shared-context.md"]),
  );
});

test("G no line of a private key is an item", async () => {
  const key = ["-----BEGIN PRIVATE KEY-----", "MIIEvQIBADANBgkqhkiG", "c2VjcmV0", "-----END PRIVATE KEY-----"];
  const shared = ["# Shared", "## Conventions", "- Tabs", ...key, "- Spaces"].join("\n");
  const { ok } = await startMemoryServer({ files: { ...kit, "_bmad/_memory/shared-context.md": shared } });
  const told = JSON.stringify(await ok("get_project_context"));
  expect(told).toMatch(/Tabs.*Spaces/);
  expect(told).not.toMatch(/MIIE|c2Vj/);
});
