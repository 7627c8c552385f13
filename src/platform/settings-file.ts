import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** The user's own settings; a project's files never count here, since a setting can name a server to trust. */
export function readSettingsFile(): { path: string; text: string } | undefined {
  const path = join(homedir(), ".forge", "settings.json");
  try {
    return { path, text: readFileSync(path, "utf8") };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    return { path, text: "" };
  }
}
