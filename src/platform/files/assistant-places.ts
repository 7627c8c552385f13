/**
 * What each assistant and editor reads in a project, by the id that `forge init` has for it. `settings` start programs or give
 * permissions: protected from every change. `instructions` tell an assistant what to do: ordinary files, but an assistant that
 * has read text by others may not change them unasked.
 */
type AssistantPlaces = { settings: readonly string[]; instructions?: readonly string[] };

const assistantPlaces = {
  "claude-code": {
    settings: [".mcp.json", ".claude", ".claude.json"],
    instructions: ["CLAUDE.md", "CLAUDE.local.md"],
  },
  cursor: { settings: [".cursor"], instructions: [".cursorrules", ".cursorignore"] },
  vscode: {
    settings: [".vscode"],
    instructions: [".github/copilot-instructions.md", ".github/instructions", ".github/prompts", ".github/chatmodes"],
  },
  codex: { settings: [".codex"], instructions: ["AGENTS.md", "AGENTS.override.md"] },
  gemini: { settings: [".gemini"], instructions: ["GEMINI.md"] },
  copilot: {
    settings: [".mcp.json", ".copilot", ".github/mcp.json", ".github/hooks", ".github/lsp.json", ".github/copilot"],
    instructions: [".github/agents", ".github/skills"],
  },
  zed: { settings: [".zed"], instructions: [".rules"] },
  kiro: { settings: [".kiro"] },
  amazonq: { settings: [".amazonq"] },
  roo: { settings: [".roo", ".roomodes"], instructions: [".roorules"] },
  windsurf: { settings: [".windsurf"], instructions: [".windsurfrules"] },
  "claude-desktop": { settings: [] },
  /** Those that `forge init` does not set up. */
  others: {
    settings: [
      ".opencode",
      "opencode.json",
      "opencode.jsonc",
      ".aider.conf.yml",
      ".aider.model.settings.yml",
      ".aider.model.metadata.json",
      ".continue",
      ".continuerc.json",
      ".junie",
      ".trae",
      ".cline",
      ".clinerules",
      ".agents",
      ".augment",
      ".qwen",
      ".crush.json",
      "crush.json",
      ".fleet",
      ".idea",
      ".vs",
      ".devcontainer",
      ".devcontainer.json",
      ".amp",
      ".factory",
      ".gitpod.yml",
      ".idx",
      ".kilo",
      ".kilocode",
      "kilo.json",
      "kilo.jsonc",
    ],
    instructions: [
      ".agent",
      ".aiassistant",
      "AGENT.md",
      "QWEN.md",
      "WARP.md",
      "CRUSH.md",
      "CONVENTIONS.md",
      ".goosehints",
      ".augment-guidelines",
      ".openhands",
    ],
  },
} as const satisfies Record<string, AssistantPlaces>;

type Listed<Places> = Places extends { instructions: readonly (infer Name)[] } ? Name : never;

/** A path of the list. */
export type AssistantPlace =
  | (typeof assistantPlaces)[keyof typeof assistantPlaces]["settings"][number]
  | Listed<(typeof assistantPlaces)[keyof typeof assistantPlaces]>;

const all: readonly AssistantPlaces[] = Object.values(assistantPlaces);

/** Names, or names one below the other. */
export const assistantSettings: readonly string[] = [...new Set(all.flatMap(({ settings }) => settings))];

export const assistantInstructions: readonly string[] = [
  ...new Set(all.flatMap(({ instructions = [] }) => instructions)),
];
