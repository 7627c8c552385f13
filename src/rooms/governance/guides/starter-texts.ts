import type { ContractName } from "../model/contract-names.ts";
import type { RepositoryFacts } from "../starters/repository-facts.ts";

type TextMaker = (facts: RepositoryFacts) => string;

/** A first version of each contract in prose, short enough to be read and edited. `boundaries` and `physics` are made apart. */
export const starterTexts: Record<Exclude<ContractName, "boundaries" | "physics">, TextMaker> = {
  manifesto: ({ name, description }) => `# Manifesto: ${name}

${description || "TODO: say in two sentences what this project is for, and for whom."}

## What matters most

1. It works: a change that breaks a test is not finished.
2. It stays simple: the smallest change that solves the problem.
3. It can be trusted: what is claimed has been run.

## What this project will not become

- TODO: list what you decided against, so that nobody proposes it again.
`,
  blueprint: (facts) => `# Blueprint: ${facts.name}

## Purpose

${facts.description || "TODO: say what the project does for its users."}

## Parts

${listOr(
  facts.folders.map(({ name, files }) => `- \`${name}/\`: ${countFiles(files, "source ")}`),
  "- TODO: name each part and what it is responsible for.",
)}

## Interfaces

${listOr(
  [
    ...(facts.apiDescription === undefined ? [] : [`- HTTP API, described in \`${facts.apiDescription}\``]),
    ...(facts.hasContainer ? ["- Container image"] : []),
  ],
  "- TODO: say how users and other programs reach it.",
)}

## Out of scope

- TODO: say what this project leaves to others.
`,
  stack: (facts) => `# Stack: ${facts.name}

## Languages

${listOr(
  facts.languages.slice(0, 6).map(({ name, files }) => `- **${name}:** ${countFiles(files)}`),
  "- TODO: name the language.",
)}

## Packages

${listOr(
  facts.manifests.slice(0, 10).map(({ path, name, runtime, dependencies }) => {
    const details = [
      name,
      runtime,
      dependencies.length > 0 ? `uses ${dependencies.slice(0, 12).join(", ")}` : undefined,
    ];
    return `- **\`${path}\`:** ${details.filter((part) => part !== undefined).join("; ") || "no dependencies"}`;
  }),
  "- No package manifest was found.",
)}

## Testing

- **Command:** ${commandOr(facts, "testCommand")}

## Deployment

- **Build:** ${commandOr(facts, "build")}
- **CI:** ${facts.ci.length > 0 ? facts.ci.map((path) => `\`${path}\``).join(", ") : "none found"}
- **Container:** ${facts.hasContainer ? "yes" : "no"}
`,
  schema: ({ name, tables, migrations }) => `# Schema: ${name}

${
  migrations.count > 0
    ? `${migrations.count} migrations, the newest in \`${migrations.folder}/\`. A released migration is never edited or removed; add a new one.`
    : "No migrations were found. If the project stores data, say where its schema is defined."
}

## Tables

${listOr(
  tables.map((table) => `- \`${table}\``),
  "No table definitions were found.",
)}
`,
  ui: ({ name, manifests }) => {
    const library = ["react", "vue", "svelte", "@angular/core", "preact", "solid-js"].find((candidate) =>
      manifests.some(({ dependencies }) => dependencies.includes(candidate)),
    );
    return `# User interface: ${name}

${library === undefined ? "No user interface library was found. If users see a screen, describe it here; otherwise delete this file." : `Built with ${library}.`}

## Rules

- Every action can be reached with a keyboard.
- A message says what happened and what to do next.
- Loading, empty and failed states are designed, not left over.
`;
  },
  phases: ({ name }) => `# Phases: ${name}

## Phase 1 -- Baseline

**Objective:** Know the state of the project and keep it from getting worse.

**Deliverables:**
- Contracts in \`Forge/Contracts/\` that are true today
- Values in \`Forge/invariants.json\`

**Exit criteria:**
- \`forge governance check\` passes

---

## Phase 2 -- Next

**Objective:** TODO: say what comes next.

**Exit criteria:**
- TODO: something a machine can check
`,
  builder_contract: (facts) => `# Builder contract: ${facts.name}

Everyone who changes this project, person or assistant, keeps to these rules.

## Before you write

1. Read the stack, the boundaries and the contract for the part you change.
2. Look for code that already does it.
3. If the request contradicts a contract, stop and ask.

## While you write

- Change only what the task needs.
- Keep to the layers in \`boundaries.json\`.
- Do not edit contracts, recorded values or waivers to make a check pass.

## Before you say it is done

1. Run the tests: ${commandOr(facts, "testCommand")}
2. Run \`forge governance check\`.
3. Say what you changed, what you ran, and what you did not verify.

## Stop and ask when

- a test fails for a reason you do not understand
- a migration, a public interface or a dependency has to change
- you would have to delete something you did not create
`,
  builder_directive: (facts) => `# Builder directive: ${facts.name}

Work in this order: understand, change, verify, report.

- Understand: read the files you will change and their tests.
- Change: one concern at a time, in small commits.
- Verify: ${commandOr(facts, "testCommand")}, then \`forge governance check\`.
- Report: facts from runs, not expectations.
`,
  system_prompt: ({ name, description, languages }) => `You work on ${name}. ${description}

Main language: ${languages[0]?.name ?? "unknown"}. Read the project's governance before you change code, keep to its boundaries, and run
the tests before you say that something works. If you are not sure, say so.
`,
  auditor_prompt: ({ name }) => `You review a change to ${name}. You did not write it.

Check, and quote the line for each finding:

1. Does the change do what was asked, and nothing else?
2. Does every new behavior have a test that fails without it?
3. Does it keep to \`boundaries.json\`, and does \`forge governance check\` pass?
4. What happens with bad input, an interrupted run, or two users at once?

Answer with a list of findings, each with its severity, or with "no findings" and what you examined.
`,
  recovery_planner_prompt: ({ name }) => `A change to ${name} has failed. Plan how to recover.

1. State what failed, with the message of the run that shows it.
2. Name the last state that is known to work.
3. Choose: fix forward if the cause is known and the fix is small; otherwise revert to that state.
4. List the steps, each with how to check that it worked.

Do not repeat a step that has already failed without a reason why it would work now.
`,
  remediation: ({ name }) => `# Remediation: ${name}

Known problems, the worst first. Remove an entry when its check passes.

| Problem | Where | How to see it | Fixed when |
|---|---|---|---|
| | | | |
`,
  desktop_distribution_plan: ({ name }) => `# Desktop distribution: ${name}

If this project is installed on users' machines, say how; otherwise delete this file.

- Platforms and oldest versions supported:
- Package formats, and who signs them:
- How updates reach users, and how they go back:
- What is stored on the machine, and how it is removed:
`,
};

function commandOr({ manifests }: RepositoryFacts, kind: "testCommand" | "build"): string {
  const commands = [...new Set(manifests.flatMap((manifest) => manifest[kind] ?? []))].slice(0, 4);
  return commands.length === 0
    ? "TODO: say which command to run"
    : commands.map((command) => `\`${command}\``).join(", ");
}

function countFiles(count: number, kind = ""): string {
  return `${count} ${kind}${count === 1 ? "file" : "files"}`;
}

function listOr(lines: readonly string[], otherwise: string): string {
  return lines.length === 0 ? otherwise : lines.join("\n");
}
