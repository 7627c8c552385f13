import { ConfigFile, openServer, path, serverAddress } from "../../src/commons/remote/index.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { Fetcher } from "../../src/platform/fetch/fetcher.ts";

/** A program of the person's own: asks the server each time it is told to, with the sign-in in the file. */
const [, , api = "", file = ""] = process.argv;
const log = () => undefined;
const config = new ConfigFile(log, file);
const server = openServer({
  chosen: { address: serverAddress(api, "test"), signIn: "stored" },
  file: config,
  fetcher: new Fetcher({ log }),
  redactor: new Redactor(),
  log,
});

process.on("message", () => {
  server.request("GET", path`/me`).then(
    () => process.send?.("answered"),
    (error: unknown) => process.send?.(String(error)),
  );
});
process.send?.("ready");
