import { resolve } from "node:path";
import type { ServeRequest } from "../../commons/cli/app.ts";
import type { ForgeRoom } from "../../commons/house.ts";
import { ForgeError } from "../../kernel/errors.ts";
import type { Redactor } from "../../kernel/text/redactor.ts";
import { userPath } from "../../platform/host/user-folder.ts";
import type { Log } from "../../platform/log.ts";
import type { Settings } from "../settings/settings-table.ts";
import { serveTeam, type TeamServer } from "./server.ts";

type StartOptions = {
  request: ServeRequest;
  settings: Settings;
  redactor: Redactor;
  log: Log;
  /** Default: all rooms. */
  rooms?: readonly ForgeRoom[];
};

/** `forge serve`: options on the command line come before the settings. */
export function startTeamServer({ request, settings, redactor, log, rooms }: StartOptions): Promise<TeamServer> {
  const host = request.host ?? settings.serverHost;
  const port = request.port ?? settings.serverPort;
  const data = request.data ?? settings.serverData;
  return serveTeam({
    settings,
    rooms,
    dataDir: data === undefined ? userPath("server") : resolve(data),
    address: { ...(host && { host }), ...(port !== undefined && { port }) },
    publicUrl: request.publicUrl ?? settings.publicUrl,
    trustProxy: request.trustProxy ?? settings.trustProxy,
    corsOrigins: settings.corsOrigins,
    openId: openIdOf(settings),
    secret: settings.serverSecret,
    resetAdmin: request.resetAdmin,
    redactor,
    log,
  });
}

function openIdOf({ openidIssuer: issuer, openidClientId: clientId, openidClientSecret: clientSecret }: Settings) {
  if (issuer === undefined && clientId === undefined) return undefined;
  if (issuer !== undefined && clientId !== undefined) return { issuer, clientId, clientSecret };
  throw new ForgeError("CONFIG_ERROR", "An OpenID provider needs both an issuer and a client id.", {
    next: ["Set FORGE_OPENID_ISSUER and FORGE_OPENID_CLIENT_ID, or neither."],
  });
}
