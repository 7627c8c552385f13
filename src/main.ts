import { makeCli } from "./app/cli.ts";
import { binaryNamed } from "./app/settings/binaries.ts";
import { runCli } from "./hosts/cli/run-cli.ts";
import { Redactor } from "./kernel/text/redactor.ts";
import { environment } from "./platform/host/environment.ts";
import { Lifecycle } from "./platform/host/lifecycle.ts";

/** The entry: reads settings and runs the command line. Light: no zod, no SDK, no database. */
export async function main(binary: string, argv: string[]): Promise<void> {
  const lifecycle = new Lifecycle();
  lifecycle.endOnSignals();
  const redactor = new Redactor();
  const running = runCli(makeCli({ binary: binaryNamed(binary), lifecycle, redactor }), argv, {
    stdout: process.stdout,
    stderr: process.stderr,
    term: environment["TERM"],
    redactor,
    get signal() {
      return lifecycle.signal;
    },
  });
  await lifecycle.end(await lifecycle.during(running));
}
