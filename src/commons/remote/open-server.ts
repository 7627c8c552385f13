import type { Redactor } from "../../kernel/text/redactor.ts";
import type { Fetcher } from "../../platform/fetch/fetcher.ts";
import type { Log } from "../../platform/log.ts";
import type { ServerAddress } from "./address.ts";
import type { ChosenServer } from "./choose-server.ts";
import { errorFromResponse, explainNoAnswer, noNewToken } from "./errors.ts";
import type { ConfigFile } from "./login/config-file.ts";
import { FixedToken } from "./login/credentials.ts";
import { type RenewedTokens, renewedTokens, StoredSession } from "./login/stored-session.ts";
import { path } from "./path.ts";
import { RemoteServer } from "./server.ts";

export type OpenServerOptions = {
  chosen: ChosenServer;
  file: ConfigFile;
  fetcher: Fetcher;
  redactor: Redactor;
  log: Log;
  /** Instead of that of the token or the sign-in. */
  team?: string | undefined;
  pause?(ms: number): Promise<unknown>;
};

/** The server that was chosen, with the credentials for it. */
export function openServer({ chosen, file, fetcher, redactor, log, team, pause }: OpenServerOptions): RemoteServer {
  const { address, signIn } = chosen;
  const refresh = (refreshToken: string) => askForTokens(fetcher, address, refreshToken);
  const credentials =
    signIn === "stored"
      ? new StoredSession({ address, file, team, refresh, redactor, log, ...(pause && { pause }) })
      : new FixedToken({ token: signIn.token, team, redactor });
  return new RemoteServer({ address, credentials, fetcher, ...(pause && { pause }) });
}

/** Sent once: a server may take a repetition for theft of the token. */
async function askForTokens(
  fetcher: Fetcher,
  address: ServerAddress,
  refreshToken: string,
): Promise<RenewedTokens | undefined> {
  const asked = { address, writes: false };
  try {
    const response = await fetcher.request("POST", `${address.api}${path`/auth/refresh`}`, {
      json: { refreshToken },
      timeoutMs: 15_000,
      maxBytes: 65_536,
      allowPrivate: [address.origin],
    });
    if (response.status === 400 || response.status === 401 || response.status === 403) return undefined;
    if (!response.ok) throw errorFromResponse(response, asked);
    const parsed = renewedTokens.safeParse(response.json());
    if (parsed.success) return parsed.data;
    throw noNewToken();
  } catch (error) {
    throw explainNoAnswer(error, asked);
  }
}
