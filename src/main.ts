import { commandSource } from "./app/commands/command-source.ts";
import { openApp } from "./app/local/app.ts";
import { binaryNamed } from "./app/settings/binaries.ts";
import type { Settings } from "./app/settings/config.ts";
import { settingsSource } from "./app/settings/source.ts";
import { runCli } from "./hosts/cli/run-cli.ts";
import type { ForgeError } from "./kernel/errors.ts";
import { Redactor } from "./kernel/redact.ts";
import { environment } from "./platform/host/env.ts";
import { Lifecycle } from "./platform/host/lifecycle.ts";

/** The entry: reads settings and runs the command line. Light: no zod, no SDK, no database. */
export async function main(binary: string, argv: string[]): Promise<void> {
  const lifecycle = new Lifecycle();
  lifecycle.endOnSignals();
  const redactor = new Redactor();
  const cli = {
    commands: commandSource,
    settings: {
      ...settingsSource,
      resolve(flags: Record<string, unknown>) {
        const resolved = settingsSource.resolve(flags);
        learnSecrets(redactor, resolved.settings);
        return resolved;
      },
    },
    binary: binaryNamed(binary),
    open: (settings: Settings, settingsProblems: readonly ForgeError[]) =>
      openApp({ settings, settingsProblems, lifecycle, redactor }),
    welcome: async (...given: Parameters<typeof import("./app/commands/welcome.ts").showWelcome>) =>
      (await import("./app/commands/welcome.ts")).showWelcome(...given),
  };
  const exitCode = await runCli(cli, argv, {
    stdout: process.stdout,
    stderr: process.stderr,
    term: environment["TERM"],
    redactor,
    get signal() {
      return lifecycle.signal;
    },
  });
  await lifecycle.end(exitCode);
}

function learnSecrets(redactor: Redactor, { databaseUrl, token, openidClientSecret }: Settings): void {
  redactor.learnAddress(databaseUrl);
  for (const secret of [token, openidClientSecret]) redactor.learn(secret);
}
