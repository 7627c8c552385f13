import { ForgeError } from "../../kernel/errors.ts";

/** The first git that takes settings from numbered environment variables; an older one would ignore them silently. */
const needed = [2, 31] as const;

const fit = new Set<string>();

/** Throws where this git is too old to read a repository with filters without running them. Asked once per program. */
export async function requireVersion(ask: () => Promise<{ stdout: Buffer }>, program: string): Promise<void> {
  if (fit.has(program)) return;
  const { stdout } = await ask();
  const text = stdout.toString().trim();
  if (!isFit(text))
    throw new ForgeError(
      "DEPENDENCY_ERROR",
      `Forge needs git ${needed.join(".")} or newer here; ${program} is ${text}.`,
      {
        details: { program, found: text },
        suggestions: ["Update git and restart Forge."],
      },
    );
  fit.add(program);
}

export function isFit(text: string): boolean {
  const [, major = "0", minor = "0"] = /^git version (\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) > needed[0] || (Number(major) === needed[0] && Number(minor) >= needed[1]);
}
