import type { AssistantPlace } from "../../../platform/files/assistant-places.ts";
import type { Json } from "../formats/json-style.ts";
import type { FormatName } from "./entry-format.ts";
import type { Launch } from "./launch.ts";

export type Scope = "project" | "user";

/** Where a path starts: the project, the person's home, or where the system keeps programs' settings. */
type Base = "project" | "home" | "settings";

export type ClientFile = {
  base: Base;
  path: string;
  /** A variable that names another folder for the person's file, and what the file is called in there. */
  variable?: { name: string; path: string };
  format: FormatName;
  /** The key that servers are listed under. */
  key: string;
  entry(launch: Launch): Record<string, Json>;
};

export type Client = {
  id: string;
  title: string;
  files: Partial<Record<Scope, ClientFile>>;
  /** What the person does once in the client before it uses Forge. */
  nextStep: string;
  /** Any of these shows that it is in use; those in the project are protected paths, or guarded ones. */
  signs: { project?: AssistantPlace[]; home?: string[]; settings?: string[]; programs?: string[] };
  /** It starts servers with a search path of its own. */
  withoutPath?: true;
  /** It starts servers in no project's folder, so its entry serves one project only. */
  needsProject?: true;
};

const plain = ({ command, args }: Launch) => ({ command, args });
const addType = (type: string) => (launch: Launch) => ({ type, ...plain(launch) });
const copilot = (launch: Launch) => ({ type: "local", ...plain(launch), tools: ["*"] });

function json(base: Base, path: string, key = "mcpServers", entry: ClientFile["entry"] = plain): ClientFile {
  return { base, path, format: "json", key, entry };
}

/** Every client `forge init` can set up, in the order of its lists. To add one is to add a row and its page in docs/clients. */
export const clients: readonly Client[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    nextStep: "start `claude` in this folder and approve the server `forge` when it asks",
    files: { project: json("project", ".mcp.json") },
    signs: { project: [".mcp.json", ".claude", "CLAUDE.md"], home: [".claude.json", ".claude"], programs: ["claude"] },
  },
  {
    id: "cursor",
    title: "Cursor",
    nextStep: "restart Cursor, and switch the server `forge` on in Settings > Tools & MCP",
    files: { project: json("project", ".cursor/mcp.json"), user: json("home", ".cursor/mcp.json") },
    signs: { project: [".cursor"], home: [".cursor"], programs: ["cursor", "cursor-agent"] },
  },
  {
    id: "vscode",
    title: "VS Code",
    nextStep: "reload the window, and trust the server `forge` when VS Code asks",
    files: {
      project: json("project", ".vscode/mcp.json", "servers", addType("stdio")),
      user: json("settings", "Code/User/mcp.json", "servers", addType("stdio")),
    },
    signs: { project: [".vscode"], settings: ["Code/User"], programs: ["code"] },
  },
  {
    id: "codex",
    title: "Codex",
    nextStep: "start `codex` in this folder and trust the project when it asks; it reads the file only then",
    files: {
      project: { base: "project", path: ".codex/config.toml", format: "toml", key: "mcp_servers", entry: plain },
      user: {
        base: "home",
        path: ".codex/config.toml",
        variable: { name: "CODEX_HOME", path: "config.toml" },
        format: "toml",
        key: "mcp_servers",
        entry: plain,
      },
    },
    signs: { project: [".codex"], home: [".codex"], programs: ["codex"] },
  },
  {
    id: "gemini",
    title: "Gemini CLI",
    nextStep: "start `gemini` in this folder and trust the folder when it asks; servers are off until then",
    files: { project: json("project", ".gemini/settings.json"), user: json("home", ".gemini/settings.json") },
    signs: { project: [".gemini", "GEMINI.md"], home: [".gemini"], programs: ["gemini"] },
  },
  {
    id: "copilot",
    title: "Copilot CLI",
    nextStep: "restart `copilot` in this folder, and trust the folder when it asks",
    files: {
      project: json("project", ".mcp.json"),
      user: json("home", ".copilot/mcp-config.json", "mcpServers", copilot),
    },
    signs: { home: [".copilot"], programs: ["copilot"] },
  },
  {
    id: "zed",
    title: "Zed",
    nextStep: "open this folder in Zed and trust the project; servers start only then",
    files: {
      project: json("project", ".zed/settings.json", "context_servers"),
      user: json("home", ".config/zed/settings.json", "context_servers"),
    },
    signs: { project: [".zed"], home: [".config/zed"], programs: ["zed", "zeditor"] },
  },
  {
    id: "kiro",
    title: "Kiro",
    nextStep: "reopen this folder in Kiro; the MCP panel shows the server `forge`",
    files: { project: json("project", ".kiro/settings/mcp.json"), user: json("home", ".kiro/settings/mcp.json") },
    signs: { project: [".kiro"], home: [".kiro"], programs: ["kiro", "kiro-cli"] },
  },
  {
    id: "amazonq",
    title: "Amazon Q",
    nextStep: "restart `q` in this folder; `/mcp` shows the server `forge`",
    files: { project: json("project", ".amazonq/mcp.json"), user: json("home", ".aws/amazonq/mcp.json") },
    signs: { project: [".amazonq"], home: [".aws/amazonq"], programs: ["q"] },
  },
  {
    id: "roo",
    title: "Roo Code",
    nextStep: "reload the VS Code window; the MCP view of Roo Code shows the server `forge`",
    files: { project: json("project", ".roo/mcp.json") },
    signs: { project: [".roo", ".roorules"] },
  },
  {
    id: "windsurf",
    title: "Windsurf",
    nextStep: "restart Windsurf; Cascade then has the server `forge`",
    files: { user: json("home", ".codeium/windsurf/mcp_config.json") },
    signs: { project: [".windsurf"], home: [".codeium/windsurf"], programs: ["windsurf"] },
    needsProject: true,
  },
  {
    id: "claude-desktop",
    title: "Claude Desktop",
    nextStep: "quit Claude Desktop completely and start it again",
    files: { user: json("settings", "Claude/claude_desktop_config.json") },
    signs: { settings: ["Claude/claude_desktop_config.json"] },
    withoutPath: true,
    needsProject: true,
  },
];
