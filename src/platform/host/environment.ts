/** The only access to the environment: settings are read from here, and child processes get only what is listed below. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;

/**
 * What a child process may know: where programs, home and temporary files are, and the language. Everything else stays
 * with us: tokens, agents' sockets, and variables that make a program load or run something (NODE_OPTIONS, LD_PRELOAD, GIT_*).
 */
const passedOn = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "TZ",
  "TMPDIR",
  "TEMP",
  "TMP",
  "XDG_CONFIG_HOME",
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "USERPROFILE",
  "USERNAME",
  "HOMEDRIVE",
  "HOMEPATH",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMDATA",
  "PROGRAMFILES",
]);

/** The environment for a child process: the allow-list, by default from ours. */
export function childEnvironment(
  from: Readonly<Record<string, string | undefined>> = environment,
): Record<string, string> {
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    // Windows spells names in any case (`Path`); elsewhere `path` is another variable than `PATH`.
    const known = process.platform === "win32" ? name.toUpperCase() : name;
    if (value !== undefined && (passedOn.has(known) || known.startsWith("LC_"))) child[name] = value;
  }
  return child;
}
