import { join, resolve } from "node:path";
import type { App } from "../../../../commons/cli/app.ts";

/** Whether a path is the project's own blocks_config.json. */
export function isOwnFile(app: App, file: string): boolean {
  return file !== "-" && resolve(file) === join(app.project.root, "blocks_config.json");
}
