import { existsSync } from "node:fs";

/**
 * A PID namespace around one command (Linux): when its first process ends, the kernel ends every other process in it, wherever
 * they fled to (`setsid`, double forks). That first process is a `cat` on a pipe of ours: it ends when we close the pipe
 * or die, even of SIGKILL. The command is the second one, so that signals and orphans treat it as they treat any program.
 */

export type WrappedCommand = { command: string; args: string[] };

/** Beside stdin, stdout and stderr: the pipe whose closing ends the namespace. */
export const lifeline = 3;

const names = ["unshare", "sh", "env", "cat", "timeout", "setpriv"] as const;

type Paths = Record<(typeof names)[number], string>;

/** An ordinary user needs a user namespace to be allowed the others. */
type NamespaceMode = { paths: Paths; asUser: boolean };

/** Whether a network of its own can be had besides. */
let noNetworkWorks: Promise<boolean> | undefined;
let modeInUse: Promise<NamespaceMode | undefined> | undefined;

/**
 * How to start the command in a namespace of its own; undefined where the system does not let us. `tryOut` runs a command
 * that must end by SIGTERM; asked once, since the answer does not change.
 */
export async function wrapInNamespace(
  { command, args }: { command: string; args: readonly string[] },
  tryOut: (probe: WrappedCommand) => Promise<boolean>,
  withoutNetwork = false,
): Promise<WrappedCommand | undefined> {
  modeInUse ??= findMode(tryOut);
  const way = await modeInUse;
  if (!way || !withoutNetwork) return way && wrap(way, command, args);
  noNetworkWorks ??= tryOut(wrap(way, way.paths.sh, ["-c", "kill -TERM $$"], true));
  return (await noNetworkWorks) ? wrap(way, command, args, true) : undefined;
}

async function findMode(tryOut: (probe: WrappedCommand) => Promise<boolean>): Promise<NamespaceMode | undefined> {
  const paths = process.platform === "linux" ? findPrograms() : undefined;
  if (!paths) return undefined;
  const ways = [{ paths, asUser: true }];
  if (process.getuid?.() === 0) ways.unshift({ paths, asUser: false });
  for (const way of ways) if (await tryOut(wrap(way, paths.sh, ["-c", "kill -TERM $$"]))) return way;
  return undefined;
}

function wrap(
  { paths, asUser }: NamespaceMode,
  command: string,
  args: readonly string[],
  withoutNetwork = false,
): WrappedCommand {
  const entering = [
    ...(asUser ? ["--user", "--map-current-user", "--keep-caps"] : []),
    ...(withoutNetwork ? ["--net"] : []),
  ];
  // A new network has a loopback that is down; programs that talk to themselves need it.
  const loopback = withoutNetwork ? [paths.sh, "-c", loopbackUp, "sh"] : [];
  // The might over its own namespaces ends here: with it the command would find no file of its user's unreadable.
  const leaving = asUser ? [paths.setpriv, "--ambient-caps=-all", "--inh-caps=-all", "--"] : [];
  const shell = [paths.sh, "-c", script(paths), "sh"];
  return {
    command: paths.unshare,
    args: [...entering, "--pid", "--", ...shell, ...loopback, ...leaving, command, ...args],
  };
}

const loopbackUp =
  'for ip in /usr/sbin/ip /sbin/ip /usr/bin/ip /bin/ip; do "$ip" link set lo up 2>/dev/null && break; done; exec "$@"';

/**
 * Run by `unshare --pid`, which puts its children into the namespace, not itself. `env` has the kernel bury orphans;
 * `timeout` without a time waits for the command and ends as it ended, by the same code or the same signal.
 */
function script({ env, cat, timeout, unshare }: Paths): string {
  return `
${env} --ignore-signal=CHLD ${cat} <&${lifeline} >/dev/null 2>&1 ${lifeline}<&- &
exec ${timeout} --foreground 0 ${unshare} --mount-proc -- "$@" ${lifeline}<&-`;
}

/** The system's own, wherever PATH leads. */
function findPrograms(): Paths | undefined {
  const find = (name: string) =>
    ["/usr/bin", "/bin"].map((folder) => `${folder}/${name}`).find((path) => existsSync(path));
  const [unshare, sh, env, cat, timeout, setpriv] = names.map(find);
  if (!unshare || !sh || !env || !cat || !timeout || !setpriv) return undefined;
  return { unshare, sh, env, cat, timeout, setpriv };
}

/** What `unshare` or `setpriv` say where they could not start the command, which is then no result of the command. */
export function startComplaint(code: number | null, stderr: string, command: string): string | undefined {
  if (code !== 126 && code !== 127) return undefined;
  const said = ["unshare", "setpriv", "prlimit"].some((name) =>
    stderr.startsWith(`${name}: failed to execute ${command}: `),
  );
  return said ? stderr.slice(0, 1000) : undefined;
}
