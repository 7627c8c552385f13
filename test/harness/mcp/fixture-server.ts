/** The fixture toolset on stdin and stdout, composed like the program. */

import { claimStdout } from "../../../src/hosts/mcp/stdio/claim-stdout.ts";
import { StdioConnection } from "../../../src/hosts/mcp/stdio/connection.ts";
import { bodyOf, wireError } from "../../../src/kernel/errors.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import { Lifecycle } from "../../../src/platform/host/lifecycle.ts";
import { createLog } from "../../../src/platform/log.ts";
import { makeFixture } from "./fixture-host.ts";

const redactor = new Redactor();
const log = createLog("info", (text) => redactor.text(text));
const warn = (text: string) => log("warning", text);
const lifecycle = new Lifecycle();
lifecycle.endOnSignals();
lifecycle.endWithParent();
lifecycle.endOnFaults((error) => log("error", "ending after an unexpected fault", { error }));
const output = claimStdout();
lifecycle.onEnd(() => output.flush());
const { host, lists } = makeFixture({ log, readOnly: process.argv.includes("--read-only") });
const connection = new StdioConnection({
  input: process.stdin,
  output,
  lists: () => lists,
  enabled: () => new Set(),
  async connect(transport) {
    const { connectHost } = await import("../../../src/hosts/mcp/stdio/connect-host.ts");
    connectHost(host, transport, warn);
  },
  refusal: (error) => wireError(bodyOf(error, "reference"), String),
  warn,
  ending: lifecycle.signal,
});
await connection.ended;
await lifecycle.end(0);
