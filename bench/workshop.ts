import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildForge, bundleServer } from "./builds.ts";
import type { ServerCommand } from "./client.ts";
import { makeRepository } from "./repositories.ts";

type ServerName = "raw" | "oneTool" | "forge" | "uncachedForge" | "forgeWithEcho" | "forgeWith60Tools" | "gitByHand";

/** The temporary folder and home directory of a benchmark run, with everything built in it. */
export type Workshop = {
  folder: string;
  /** The complete environment of every child. Only our PATH is passed on: extra certificates, for example, slow down Node's start. */
  env: Record<string, string>;
  servers: Record<ServerName, ServerCommand>;
  /** The `forge` of the unchanged build. */
  forge: string;
  dispose(): void;
};

const smallRepositoryFiles = 20;

export async function openWorkshop(): Promise<Workshop> {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-bench-")));
  const dispose = () => rmSync(folder, { recursive: true, force: true });
  try {
    return { folder, dispose, ...(await furnish(folder)) };
  } catch (error) {
    dispose();
    throw error;
  }
}

async function furnish(folder: string): Promise<Pick<Workshop, "env" | "servers" | "forge">> {
  const { PATH = "" } = process.env;
  const env = { PATH, HOME: join(folder, "home"), GIT_CONFIG_NOSYSTEM: "1" };
  mkdirSync(env.HOME);
  const cwd = makeRepository(join(folder, "project"), smallRepositoryFiles, env);
  const oneTool = await bundleServer(folder, "one-tool");
  const forge = buildForge(join(folder, "forge"), { echoes: 0 });
  const forgeWithEcho = buildForge(join(folder, "forge-with-echo"), { echoes: 1 });
  const forgeWith60Tools = buildForge(join(folder, "forge-with-60-tools"), { echoes: 59 });
  const serve = ["mcp", "--toolsets", "all"];
  const server = (name: string, args: string[]): ServerCommand => ({ name, args, cwd, env });
  const own = (file: string) => join(import.meta.dirname, "servers", file);
  return {
    env,
    forge,
    servers: {
      raw: server("raw", [own("raw.mjs")]),
      oneTool: server("one-tool", [oneTool]),
      forge: server("forge", [forge, ...serve]),
      uncachedForge: { ...server("forge, no cache", [forge, ...serve]), env: { ...env, FORGE_CODE_CACHE: "off" } },
      forgeWithEcho: server("forge with echo", [forgeWithEcho, ...serve]),
      forgeWith60Tools: server("forge, 60 tools", [forgeWith60Tools, ...serve]),
      gitByHand: server("git by hand", [own("git-by-hand.mjs")]),
    },
  };
}
