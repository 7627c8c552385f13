import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import { findProgram, searchFoldersOutside } from "../exec/search-path.ts";
import { environment } from "../host/environment.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What shows an address to the person, by system; `rundll32` takes it as it is, where `start` would go through a shell. */
function openerOn(platform: NodeJS.Platform): [program: string, ...args: string[]] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}

/** Whether the person sits before a screen that a browser could be on: over SSH it would open where they are not. */
function hasScreen(platform: NodeJS.Platform, env: Environment): boolean {
  if (env["SSH_CONNECTION"] || env["SSH_TTY"]) return false;
  return platform === "darwin" || platform === "win32" || Boolean(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/** Shows a web page in the person's own browser; false where there seems to be none. Only for what they asked to see. */
export function openBrowser(address: string, env: Environment = environment, platform = process.platform): boolean {
  const url = new URL(address);
  const [name, ...args] = openerOn(platform);
  const program = /^https?:$/.test(url.protocol) && hasScreen(platform, env) ? findProgram(name, env) : undefined;
  if (program === undefined) return false;
  // An opener is often a script, which looks up programs itself.
  const others = Object.entries(env).filter(([variable]) => variable.toUpperCase() !== "PATH");
  const path = searchFoldersOutside(env, process.cwd()).join(delimiter);
  const place = { ...Object.fromEntries(others), PATH: path };
  const child = spawn(program, [...args, url.href], { detached: true, stdio: "ignore", env: place });
  // Whether it worked is for the person to see: the address is on their screen too.
  child.on("error", () => undefined);
  child.unref();
  return true;
}
