/** A team server as `forge serve` starts it, on a free port and without the rate limit. */

import { serveTeam } from "../../src/app/server/server.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";

const [, , dataDir = "", databaseUrl] = process.argv;
const boundless = { perSecond: 1_000_000, burst: 1_000_000 };

async function serve(): Promise<void> {
  const server = await serveTeam({
    settings: { databaseUrl, ledgerDays: 90 },
    dataDir,
    address: { port: 0 },
    rates: { read: boundless, write: boundless },
    redactor: new Redactor(),
    log: () => undefined,
  });
  console.log(server.url);
  process.stdin.resume().once("end", () => void server.close().then(() => process.exit(0)));
}

void serve();
