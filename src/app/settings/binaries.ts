/** A name that the program is started by. */
export type Binary = {
  /** Put before the arguments it was given. */
  prefix: readonly string[];
  /** The command if none was given. */
  fallback?: string;
  /** The environment variable that names the project, in configurations that were written for the server it replaces. */
  projectVariable?: string;
};

const forge: Binary = { prefix: [] };

const binaries: Record<string, Binary> = {
  forge,
  "forge-mcp": { prefix: [], fallback: "mcp" },
  "fractary-forge-mcp": { prefix: ["mcp", "--profile", "registry"] },
  "fractary-forge": { prefix: ["registry"] },
  "bmad-mcp-server": { prefix: ["mcp", "--profile", "memory"], projectVariable: "BMAD_PROJECT_ROOT" },
};

/** A binary by its file name; `forge` for any other. */
export function binaryNamed(name: string): Binary {
  return Object.hasOwn(binaries, name) ? (binaries[name] ?? forge) : forge;
}
