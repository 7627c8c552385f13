import { join } from "node:path";
import { ConfigFile, openServer, serverAddress } from "../../src/commons/remote/index.ts";
import { Copies } from "../../src/commons/remote/offline/copies.ts";
import { localPrincipal } from "../../src/kernel/principal.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { Fetcher } from "../../src/platform/fetch/fetcher.ts";
import { RemoteTickets } from "../../src/rooms/tickets/remote/remote-tickets.ts";

/** A program of the person's own that holds a ticket until it is killed. */
const [, , api = "", home = "", token = "", id = ""] = process.argv;
const log = () => undefined;
const server = openServer({
  chosen: { address: serverAddress(api, "test"), signIn: { token } },
  file: new ConfigFile(log, join(home, ".forge", "config.json")),
  fetcher: new Fetcher({ log }),
  redactor: new Redactor(),
  log,
});
const tickets = new RemoteTickets({ server, copies: new Copies(join(home, ".forge", "cache")) });
process.on("message", () => undefined);
tickets.hold(id, localPrincipal("ada", "forge")).then(
  () => process.send?.("held"),
  (error: unknown) => process.send?.(String(error)),
);
