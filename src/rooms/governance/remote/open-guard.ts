import type { House } from "../../../commons/house.ts";
import { FixedToken, RemoteServer, serverAddress } from "../../../commons/remote/index.ts";
import { Fetcher } from "../../../platform/fetch/fetcher.ts";
import { GovernanceClient } from "./governance-client.ts";

/** The governance server that FORGEGUARD_URL names. */
export function openGuard(url: string, { settings, redactor, log, onEnd }: House): GovernanceClient {
  const { api, origin } = serverAddress(url, "FORGEGUARD_URL");
  const fetcher = new Fetcher({ log });
  onEnd(() => fetcher.close());
  const credentials = new FixedToken({ token: settings.governanceKey ?? "", redactor });
  // Its routes are named from the root; an address that ends in /api means the same server.
  const address = { api: api.replace(/\/api$/, ""), origin };
  return new GovernanceClient(new RemoteServer({ address, credentials, fetcher }), "guard");
}
