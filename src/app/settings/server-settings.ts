import { defineSetting, type Setting } from "./define-setting.ts";
import {
  type Reader,
  readAddress,
  readBoolean,
  readOrigins,
  readPort,
  readSwitch,
  readText,
} from "./setting-readers.ts";

/** Settings of `forge serve`. */
export const serverSettings = {
  serverHost: serverSetting<string>(
    "serverHost",
    "FORGE_SERVER_HOST",
    readText,
    "Address that `forge serve` listens on.",
  ),
  serverPort: serverSetting<number>("serverPort", "FORGE_SERVER_PORT", readPort, "Port that `forge serve` listens on."),
  serverData: serverSetting<string>(
    "serverData",
    "FORGE_SERVER_DATA",
    readText,
    "Folder for the data of `forge serve`.",
  ),
  publicUrl: serverSetting<string>(
    "publicUrl",
    "FORGE_PUBLIC_URL",
    readAddress,
    "Address that users reach `forge serve` at.",
  ),
  trustProxy: defineSetting<boolean>({
    key: "trustProxy",
    variables: [{ name: "FORGE_TRUST_PROXY", read: readSwitch }],
    read: readBoolean,
    default: false,
    secret: false,
    help: "true: `forge serve` takes client addresses from the proxy in front of it.",
  }),
  corsOrigins: defineSetting<string[]>({
    key: "corsOrigins",
    variables: [{ name: "FORGE_CORS_ORIGINS", read: readOrigins }],
    read: readOrigins,
    default: [],
    secret: false,
    help: "Websites that may call `forge serve` from a browser.",
  }),
  openidIssuer: serverSetting<string>(
    "openidIssuer",
    "FORGE_OPENID_ISSUER",
    readAddress,
    "OpenID provider that users of `forge serve` sign in with.",
  ),
  openidClientId: serverSetting<string>(
    "openidClientId",
    "FORGE_OPENID_CLIENT_ID",
    readText,
    "Client id of `forge serve` at that provider.",
  ),
  openidClientSecret: defineSetting<string | undefined>({
    key: "openidClientSecret",
    variables: [{ name: "FORGE_OPENID_CLIENT_SECRET", read: readText }],
    read: readText,
    default: undefined,
    secret: true,
    help: "Client secret that belongs to it.",
  }),
  serverSecret: defineSetting<string | undefined>({
    key: "serverSecret",
    variables: [{ name: "FORGE_SERVER_SECRET", read: readText }],
    read: readText,
    default: undefined,
    secret: true,
    help: "Encrypts the key that `forge serve` signs receipts with, in its database.",
  }),
};

/** A setting of `forge serve`, whose options on the command line come first. */
function serverSetting<T>(key: string, variable: string, read: Reader<T>, help: string): Setting<T | undefined> {
  return { key, variables: [{ name: variable, read }], read, default: undefined, secret: false, help };
}
