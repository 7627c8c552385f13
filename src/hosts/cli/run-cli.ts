import { type Resolution, resolveSettings, type Settings } from "../../app/settings/config.ts";
import { type Face, faceOf, requireBuilt, toolsetNames } from "../../app/settings/faces.ts";
import type { SettingsFile } from "../../app/settings/stored-settings.ts";
import type { Command } from "../../kernel/command.ts";
import type { Redactor } from "../../kernel/redact.ts";
import type { App } from "./app.ts";
import { commands as allCommands } from "./commands/index.ts";
import { showError } from "./error-output.ts";
import { type Stream, Terminal } from "./output.ts";
import { findCommand, parseArguments, positionalsOf, readGlobalOptions } from "./parse.ts";
import { partIn } from "./parts.ts";
import { complete, heededSettings, optionsOfAll } from "./signature.ts";
import { styleFor } from "./style.ts";
import { plain } from "./text.ts";
import { unknownCommand } from "./usage-errors.ts";

export type Io = {
  stdout: Stream;
  stderr: Stream;
  /** The name Forge was started by; see `faces.ts`. */
  binary: string;
  env: Readonly<Record<string, string | undefined>>;
  settingsFile: SettingsFile | undefined;
  /** The program's only one, so that errors shown here lose what any part of it has learned to be secret. */
  redactor: Redactor;
  /** Aborted on Ctrl+C. */
  signal: AbortSignal;
};

/** Makes the program for these settings. Cheap: what is heavy loads when it is called. */
export type OpenApp = (settings: Settings) => App;

type Run = {
  app: () => App;
  commands: readonly Command<App>[];
  face: Face;
  line: string[];
  flags: Record<string, unknown>;
  resolution: Resolution;
  out: Terminal;
};

/** Runs one command line and resolves to the exit code once all output is written. Never throws. */
export async function runCli(
  open: OpenApp,
  argv: readonly string[],
  io: Io,
  commands: readonly Command<App>[] = allCommands,
): Promise<number> {
  const face = faceOf(io.binary);
  const line = [...face.prefix, ...argv];
  const flags = readGlobalOptions(line);
  const resolution = resolveSettings({ flags, env: io.env, file: io.settingsFile });
  const { databaseUrl, token, openidClientSecret } = resolution.settings;
  io.redactor.learnAddress(databaseUrl);
  for (const secret of [token, openidClientSecret]) io.redactor.learn(secret);
  const out = terminalFor(io, resolution.settings, line);
  let opened: App | undefined;
  const app = () => {
    opened ??= open(resolution.settings);
    return opened;
  };
  const debug = resolution.settings.logLevel === "debug";
  let exitCode = 0;
  try {
    const work = perform({ app, commands, face, line, flags, resolution, out });
    exitCode = await Promise.race([work, out.stdoutLost.then(() => 0)]);
  } catch (error) {
    exitCode = showError(error, out, io.redactor, debug);
  }
  await out.flushed();
  if (!out.loss) return exitCode;
  if (out.loss.error === undefined) return 0;
  exitCode = showError(out.loss.error, out, io.redactor, debug);
  await out.flushed();
  return exitCode;
}

function terminalFor(io: Io, { colour }: Settings, line: string[]): Terminal {
  const { TERM: term } = io.env;
  const look = { setting: colour, term };
  return new Terminal({
    stdout: io.stdout,
    stderr: io.stderr,
    json: line.slice(0, line.includes("--") ? line.indexOf("--") : undefined).includes("--json"),
    style: styleFor({ ...look, isTTY: io.stdout.isTTY === true }),
    errorStyle: styleFor({ ...look, isTTY: io.stderr.isTTY === true }),
    signal: () => io.signal,
    canWipe: term !== "dumb",
  });
}

/** Loaded where it is asked for: most commands are run, not explained. */
const loadHelp = () => import("./help.ts");

async function perform({ app, commands, face, line, flags, resolution, out }: Run): Promise<number> {
  const { help, version } = flags;
  const names = commands.map(({ name }) => name);
  if (help === true && line.length === 1) return (await loadHelp()).showOverview(commands, out);
  const found =
    version === true && help !== true
      ? { name: "version", rest: [] }
      : findCommand(line, names, face.fallback, () => optionsOfAll(commands, app));
  if (found.name === undefined) return (await loadHelp()).showOverview(commands, out);
  const first = commands.find(({ name }) => name === found.name) ?? refuse(found.name, listed(commands), app());
  const { command, rest } = await partIn(first, found.rest, app);
  if (help === true) return helpWith(command, rest, app, out);
  const input = parseArguments(command.name, complete(command, app), rest);
  heedSettings(command, resolution, out);
  return command.run(app(), input, out);
}

async function helpWith(command: Command<App>, args: string[], app: () => App, out: Terminal): Promise<number> {
  const whole = complete(command, app);
  if (await command.helpOn?.(app(), positionalsOf(whole, args), out)) return 0;
  return (await loadHelp()).showHelp(whole, out);
}

function listed(commands: readonly Command<App>[]): string[] {
  return commands.filter(({ hidden }) => !hidden).map(({ name }) => name);
}

/** A room that is yet to come has its name already. */
function refuse(name: string, names: string[], app: App): never {
  const toolset = toolsetNames.find((known) => known === name);
  if (toolset) requireBuilt(toolset, app.built);
  throw unknownCommand(name, names);
}

function heedSettings(command: Command<App>, { problems, warnings, settings }: Resolution, out: Terminal): void {
  const heeded = heededSettings(command);
  if (heeded.length === 0) return;
  const problem = problems.find(({ setting }) => setting === "file" || heeded.includes(setting));
  if (problem) throw problem.error;
  if (settings.logLevel === "silent") return;
  for (const warning of warnings) out.note(`${out.errorStyle.yellow("warning:")} ${plain(warning)}`);
}
