import type { SampleCommit } from "./sample-project.ts";

const waiverDays = 90;
const dayMs = 86_400_000;

/** The project's contracts, and the agents and tools that it shares. Its registry is a folder, so nothing is fetched. */
export function makeSampleRules(now: number): SampleCommit {
  const waiver = {
    rule: "boundary:shop",
    file: "src/format.js",
    reason: "Prices are printed with toFixed until they have a currency",
    by: "ada",
    until: new Date(now + waiverDays * dayMs).toISOString().slice(0, 10),
  };
  return {
    message: "The rules of the project, and the agents that it uses",
    files: {
      "Forge/Contracts/builder_contract.md": `# How we work

- Prices are integers, in cents. Only \`src/format.js\` turns them into text.
- A change of behaviour comes with a test that fails without it.
- No dependencies: the shop runs on Node alone.
`,
      "Forge/Contracts/stack.md": `# Stack

Node.js, ES modules, node:test. No build step.
`,
      "Forge/Contracts/boundaries.json": toText({
        layers: [
          {
            name: "shop",
            description: "The rules of the shop",
            glob: "src/**/*.js",
            forbidden: [
              { pattern: "\\bconsole\\.", reason: "The shop does not print" },
              { pattern: "\\.toFixed\\(", reason: "Prices are integers, in cents" },
            ],
          },
        ],
      }),
      "Forge/invariants.json": toText({
        invariants: [
          {
            name: "todo_count",
            constraint: "monotonic_down",
            description: "Work that was put off",
            glob: "src/**",
            pattern: "TODO",
          },
        ],
        waivers: [waiver],
      }),
      ".fractary/config.json": toText({
        registries: [{ name: "shelf", type: "folder", url: ".fractary/shelf", priority: 1 }],
      }),
      ".fractary/shelf/agents/reviewer@1.0.0/agent.yaml": reviewer({ version: "1.0.0", prompt: "Review the change." }),
      ".fractary/shelf/agents/reviewer@1.1.0/agent.yaml": reviewer({
        version: "1.1.0",
        prompt: "Review the change. Name the file and line of everything you find.",
      }),
      ".fractary/agents/checkout-reviewer.yaml": reviewer({
        name: "checkout-reviewer",
        version: "1.0.0",
        prompt: "Review the change. Check that prices stay integers, in cents.",
        more: "fork_of:\n  name: reviewer\n  version: 1.0.0\n  forked_at: 2026-01-15T09:00:00.000Z\n",
      }),
      ".fractary/forks/agents/checkout-reviewer.yaml": reviewer({ version: "1.0.0", prompt: "Review the change." }),
      ".fractary/tools/run-tests.yaml": `name: run-tests
type: tool
version: 1.0.0
description: Runs the tests of the shop
tags: [test]
parameters:
  file:
    type: string
    required: false
    description: Only this test file
implementation:
  type: bash
  bash:
    command: npm test
`,
    },
  };
}

type Reviewer = { name?: string; version: string; prompt: string; more?: string };

function reviewer({ name = "reviewer", version, prompt, more = "" }: Reviewer): string {
  return `name: ${name}
type: agent
version: ${version}
description: Reads a change and says what is wrong with it
llm:
  provider: anthropic
  model: claude-sonnet-4
tools: [run-tests]
tags: [review]
system_prompt: |
  ${prompt}
${more}`;
}

function toText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
