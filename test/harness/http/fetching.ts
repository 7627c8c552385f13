import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ForgeError } from "../../../src/kernel/errors.ts";
import { Fetcher } from "../../../src/platform/fetch/fetcher.ts";
import type { FetcherOptions, Method, RequestOptions } from "../../../src/platform/fetch/types.ts";

/** A fetcher with its own host names and without real pauses between attempts. Closed after the test. */
export class TestFetcher extends Fetcher {
  readonly pauses: number[];
  readonly lookups: string[];
  readonly logged: string[];

  constructor(names: Record<string, string[]> = {}, options: Partial<FetcherOptions> = {}) {
    const pauses: number[] = [];
    const lookups: string[] = [];
    const logged: string[] = [];
    super({
      log: (_level, message) => logged.push(message),
      async resolve(hostname) {
        lookups.push(hostname);
        const addresses = names[hostname];
        if (!addresses) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: "ENOTFOUND" });
        return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      },
      async pause(ms) {
        pauses.push(ms);
      },
      ...options,
    });
    this.pauses = pauses;
    this.lookups = lookups;
    this.logged = logged;
    onTestFinished(() => this.close());
  }

  /** A request to a server of the test's own, which has a private address. */
  ask(method: Method, url: string, options: RequestOptions = {}) {
    return this.request(method, url, { allowPrivate: [url], ...options });
  }
}

/** The error, which must be one for callers. */
export async function failureOf(work: Promise<unknown>): Promise<ForgeError> {
  const thrown = await work.then(
    (value) => new Error(`expected a failure, got ${String(value)}`),
    (error: unknown) => error,
  );
  if (thrown instanceof ForgeError) return thrown;
  throw thrown;
}

type TestServer = { url: string; port: number; stop(): Promise<void> };

/** A plain web server on a free port. Ends with the test. */
export function serve(listener: RequestListener): Promise<TestServer> {
  return listen(createServer(listener), "http");
}

/** The same behind TLS, with a certificate of the authority below. */
export function serveTls(listener: RequestListener, { key, cert }: Certificate): Promise<TestServer> {
  return listen(createTlsServer({ key, cert }, listener), "https");
}

async function listen(server: Server, scheme: string): Promise<TestServer> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    if ("closeAllConnections" in server && typeof server.closeAllConnections === "function")
      server.closeAllConnections();
    if (server.listening) await new Promise((closed) => server.close(closed));
  };
  onTestFinished(stop);
  return { url: `${scheme}://127.0.0.1:${port}`, port, stop };
}

export type Certificate = { key: string; cert: string };

/** A self-signed certificate for these names; undefined if openssl is missing. */
export function makeCertificate(names: string): Certificate | undefined {
  const folder = mkdtempSync(join(tmpdir(), "forge-certificate-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const words = ["req", ...kind, "-subj", "/CN=forge test", "-addext", `subjectAltName=${names}`];
  try {
    execFileSync("openssl", [...words, "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
