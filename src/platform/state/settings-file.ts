import { readFileSync } from "node:fs";
import { ForgeError } from "../../kernel/errors.ts";
import { errorCode } from "../host/error-code.ts";
import { userPath } from "../host/user-folder.ts";

/** The user's own settings; a project's files never count here, since a setting can name a server to trust. */
export function readSettingsFile(): { path: string; text: string | ForgeError } | undefined {
  const path = userPath("settings.json");
  try {
    return { path, text: readFileSync(path, "utf8") };
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    const text = new ForgeError("CONFIG_ERROR", `The settings file ${path} cannot be read (${code}).`, {
      details: { file: path },
      next: ["Make it readable, or remove it to use the defaults."],
    });
    return { path, text };
  }
}
