import type { App, CommandSource } from "../../commons/cli/app.ts";
import { wordForShell } from "../../commons/cli/command-line.ts";
import type { Command, CommandFacts, Options } from "../../kernel/definitions/command.ts";
import { ForgeError } from "../../kernel/errors.ts";
import type { Redactor } from "../../kernel/text/redactor.ts";
import { styleFor } from "../../platform/terminal/style.ts";
import { plain } from "../../platform/terminal/text.ts";
import { commonOptionsOf } from "./common-options.ts";
import { showError } from "./error-output.ts";
import { findCommand } from "./find-command.ts";
import { type Stream, Terminal } from "./output.ts";
import { parseArguments, positionalsOf, readCommonOptions } from "./parse.ts";
import type { SettingsSource } from "./settings-source.ts";

/** The settings that the command line itself looks at. */
type CliSettings = { logLevel: string; colour: "auto" | "always" | "never" };

export type Cli<Settings extends CliSettings> = {
  commands: CommandSource;
  settings: SettingsSource<Settings>;
  /** Makes the program for these settings, and with what is wrong with them. Cheap: what is heavy loads when it is used. */
  open(settings: Settings, problems: readonly ForgeError[]): App;
  /** What `forge` alone shows. */
  welcome(app: App, out: Terminal): Promise<number>;
  /** The name Forge was started by: words before the arguments, and the command where none is given. */
  binary: { prefix: readonly string[]; fallback?: string };
};

export type Io = {
  stdout: Stream;
  stderr: Stream;
  /** The TERM variable. */
  term: string | undefined;
  /** The program's only one, so that errors shown here lose what any part of it has learned to be secret. */
  redactor: Redactor;
  /** Aborted on Ctrl+C. */
  signal: AbortSignal;
};

/** Runs one command line and resolves to the exit code once all output is written. Never throws. */
export async function runCli<Settings extends CliSettings>(
  cli: Cli<Settings>,
  argv: readonly string[],
  io: Io,
): Promise<number> {
  const run = new CommandRun(cli, [...cli.binary.prefix, ...argv], io);
  return run.perform();
}

class CommandRun<Settings extends CliSettings> {
  readonly #cli: Cli<Settings>;
  readonly #line: string[];
  readonly #redactor: Redactor;
  #commonOptions: Options;
  #flags: Record<string, unknown>;
  #resolution: ReturnType<SettingsSource<Settings>["resolve"]>;
  readonly #out: Terminal;
  #app: App | undefined;

  constructor(cli: Cli<Settings>, line: string[], io: Io) {
    this.#cli = cli;
    this.#line = line;
    this.#redactor = io.redactor;
    this.#commonOptions = commonOptionsOf(cli.settings.options);
    this.#flags = readCommonOptions(line, this.#commonOptions);
    this.#resolution = cli.settings.resolve(this.#flags);
    this.#out = terminalFor(io, this.#resolution.settings, line);
  }

  async perform(): Promise<number> {
    const out = this.#out;
    let exitCode = 0;
    try {
      exitCode = await Promise.race([this.#run(), out.stdoutLost.then(() => 0)]);
    } catch (error) {
      exitCode = await this.#show(error);
    }
    await out.flush();
    if (!out.loss) return exitCode;
    if (out.loss.error === undefined) return 0;
    exitCode = await this.#show(out.loss.error);
    await out.flush();
    return exitCode;
  }

  async #show(error: unknown): Promise<number> {
    const debug = this.#resolution.settings.logLevel === "debug";
    // Loaded only where they are needed: a signal may be about to end the process.
    const facts = namesTool(error) ? await this.#cli.commands.facts() : [];
    const word = wordForShell(facts);
    return showError(error, { out: this.#out, redactor: this.#redactor, debug, word });
  }

  /** Made when a command needs it. */
  get #opened(): App {
    if (!this.#app) {
      const { settings, problems } = this.#resolution;
      this.#app = this.#cli.open(
        settings,
        problems.map(({ error }) => error),
      );
    }
    return this.#app;
  }

  async #run(): Promise<number> {
    const { help, version } = this.#flags;
    const { commands, binary } = this.#cli;
    const wantsHelp = help === true;
    if (wantsHelp && this.#line.length === 1) return this.#overview();
    const found =
      version === true && !wantsHelp
        ? { name: "version", rest: [] }
        : await findCommand(this.#line, commands, this.#commonOptions, binary.fallback);
    if (found.name === undefined) return wantsHelp ? this.#overview() : this.#cli.welcome(this.#opened, this.#out);
    const { command, facts } = await commands.load(found.name);
    this.#leaveToCommand(Object.keys(facts.options ?? {}).filter((name) => Object.hasOwn(this.#commonOptions, name)));
    if (wantsHelp || facts.isGroup) return this.#help(command, facts, found.rest);
    const input = parseArguments(facts.name, facts, found.rest, this.#commonOptions);
    this.#checkSettings(facts);
    return command.run(this.#opened, input, this.#out, facts);
  }

  /** An option of the command's own comes before one of that name for all commands: `--project ID` of `forge build start`. */
  #leaveToCommand(names: readonly string[]): void {
    if (names.length === 0) return;
    const others = <Value>(all: Record<string, Value>) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
    this.#commonOptions = others(this.#commonOptions);
    this.#flags = others(this.#flags);
    this.#resolution = this.#cli.settings.resolve(this.#flags);
  }

  async #overview(): Promise<number> {
    const { showOverview } = await loadHelp();
    return showOverview(await this.#cli.commands.facts(), "common", this.#commonOptions, this.#out);
  }

  async #help(command: Command<App>, facts: CommandFacts, rest: string[]): Promise<number> {
    const positionals = () => positionalsOf(facts, rest, this.#commonOptions);
    if (command.helpOn && (await command.helpOn(this.#opened, positionals(), this.#out))) return 0;
    const { showHelp } = await loadHelp();
    const variables = this.#cli.settings.variables(usedSettings(facts));
    const all = facts.isGroup ? await this.#cli.commands.facts() : [];
    return showHelp(facts, { all, commonOptions: this.#commonOptions, variables }, this.#out);
  }

  #checkSettings(facts: CommandFacts): void {
    const used = usedSettings(facts);
    if (used.length === 0) return;
    const { problems, settings, warnings } = this.#resolution;
    const problem = problems.find(({ setting }) => setting === "file" || used.includes(setting));
    if (problem) throw problem.error;
    if (settings.logLevel === "silent") return;
    for (const warning of warnings) this.#out.note(`${this.#out.errorStyle.yellow("warning:")} ${plain(warning)}`);
  }
}

/** Whether what to do next is an operation, whose command has to be looked up. */
function namesTool(error: unknown): boolean {
  if (!(error instanceof ForgeError) || !error.next) return false;
  return error.next.some((action) => typeof action === "object" && "tool" in action);
}

/** Loaded where it is asked for: most commands are run, not explained. */
const loadHelp = () => import("./help.ts");

/** The settings a command uses; none at all where it needs none, so that `forge help` works with any configuration. */
export function usedSettings({ settings }: CommandFacts): string[] {
  return settings.length === 0 ? [] : [...settings, "logLevel", "colour"];
}

function terminalFor(io: Io, { colour }: CliSettings, line: string[]): Terminal {
  const look = { setting: colour, term: io.term };
  return new Terminal({
    stdout: io.stdout,
    stderr: io.stderr,
    json: line.slice(0, line.includes("--") ? line.indexOf("--") : undefined).includes("--json"),
    style: styleFor({ ...look, isTTY: io.stdout.isTTY === true }),
    errorStyle: styleFor({ ...look, isTTY: io.stderr.isTTY === true }),
    signal: () => io.signal,
    canWipe: io.term !== "dumb",
  });
}
