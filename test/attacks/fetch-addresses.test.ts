import { describe, expect, test } from "vitest";
import { ChaosProxy, jsonAnswer } from "../harness/faults/chaos-proxy.ts";
import { describeWith } from "../harness/faults/faults.ts";
import { failureOf, makeCertificate, serve, serveTls, TestFetcher } from "../harness/http/fetching.ts";

const ok = { answer: jsonAnswer({ reached: true }) };

/** Fake names; nothing here leaves the machine. */
const names = {
  "metadata.test": ["169.254.169.254"],
  "metadata6.test": ["fd00:ec2::254"],
  "loop.test": ["127.0.0.1"],
  "loop6.test": ["::1"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "nat64.test": ["64:ff9b::10.0.0.1"],
  "lan.test": ["192.168.1.1"],
  "unspecified.test": ["0.0.0.0"],
  "multicast.test": ["224.0.0.1"],
  "two-faced.test": ["8.8.8.8", "127.0.0.1"],
  "two-faced6.test": ["2606:4700::1111", "fd00::1"],
  localhost: ["127.0.0.1"],
  "evil.localhost": ["10.0.0.1"],
  "nothing.test": [],
};

describe("K27 addresses that are not for servers, or not for this request", () => {
  test.each([
    ...Object.keys(names)
      .filter((name) => name.endsWith(".test") && name !== "nothing.test")
      .map((name) => `https://${name}`),
    "https://127.0.0.1",
    "https://2130706433",
    "https://0177.0.0.1",
    "https://0x7f.0.0.1",
    "https://0x7f000001",
    "https://127.1",
    "https://127.0.0.1.",
    "https://①②⑦.⓪.⓪.①",
    "https://0",
    "https://[::]",
    "https://[::1]",
    "https://[::ffff:127.0.0.1]",
    "https://[::127.0.0.1]",
    "https://[64:ff9b::7f00:1]",
    "https://[fe80::1]",
    "https://2852039166",
    "https://169.254.169.254",
    "https://[fd00:ec2::254]",
    "https://localhost",
    "http://localhost",
    "http://127.0.0.1",
    "http://[::1]",
  ])("%s is not contacted", async (origin) => {
    const proxy = await ChaosProxy.start(ok);
    const fetcher = new TestFetcher(names);
    const error = await failureOf(fetcher.request("GET", `${origin}:${proxy.port}/x?key=secret`));
    expect(error).toMatchObject({ code: "NETWORK_ERROR", details: { reason: "address" } });
    expect(error.message).toMatch(/was not contacted/);
    expect(JSON.stringify(error.toBody())).not.toContain("secret");
    expect(proxy.connections + proxy.requests.length).toBe(0);
  });

  test.each([
    "http://metadata.test",
    "http://two-faced.test",
    "http://8.8.8.8",
    "http://10.0.0.1",
    "http://0.0.0.0",
    "http://notlocalhost",
    "http://localhost.evil.test",
    "http://evil.localhost",
  ])("G08 %s: open http is only for this machine, even where the origin is allowed", async (origin) => {
    const error = await failureOf(new TestFetcher(names).request("GET", origin, { allowPrivate: [origin] }));
    expect(error).toMatchObject({ code: "NETWORK_ERROR", details: { reason: "insecure" } });
  });

  test.each(["https://metadata.test", "https://169.254.169.254", "https://unspecified.test", "https://[::]"])(
    "%s is not contacted even where it is configured",
    async (origin) => {
      const error = await failureOf(new TestFetcher(names).request("GET", origin, { allowPrivate: [origin] }));
      expect(error.message).toMatch(/is reserved/);
    },
  );

  test("an origin of the user's own configuration is, and only that one", async () => {
    const proxy = await ChaosProxy.start(ok);
    const fetcher = new TestFetcher(names);
    const to = (url: string, allowPrivate: string[]) => fetcher.request("GET", url, { allowPrivate });
    for (const host of ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"]) {
      const url = `http://${host}:${proxy.port}`;
      expect((await to(`${url}/path`, [`${url}/other/path`])).json()).toEqual({ reached: true });
      for (const allowed of [
        `http://${host}`,
        `https://${host}:${proxy.port}`,
        `http://${host}:1`,
        "nonsense",
        "null",
      ]) {
        expect(await failureOf(to(url, [allowed]))).toMatchObject({ details: { reason: "address" } });
      }
    }
  });

  test("a name without addresses, and one that is not there", async () => {
    for (const host of ["nothing.test", "unknown.test"]) {
      const error = await failureOf(new TestFetcher(names).request("GET", `https://${host}`));
      expect(error).toMatchObject({ message: `The host ${host} was not found.`, details: { reason: "name" } });
    }
  });

  test.each([
    "",
    "no address",
    "/path",
    "ftp://example.org",
    "file:///etc/passwd",
    "https://me:pass@example.org/",
    "data:,x",
  ])("%s is refused before anything is looked up", async (target) => {
    const fetcher = new TestFetcher(names);
    const error = await failureOf(fetcher.request("GET", target));
    expect(error.code).toBe("VALIDATION_ERROR");
    expect(error.message).not.toContain("pass@");
    expect(fetcher.lookups).toEqual([]);
  });

  test("nothing listens there: said so", async () => {
    const { url, stop } = await serve(() => undefined);
    await stop();
    const error = await failureOf(new TestFetcher().ask("GET", url));
    expect(error).toMatchObject({
      message: expect.stringMatching(/nothing is listening there/),
      details: { reason: "unreachable" },
    });
  });
});

const certificate = makeCertificate("DNS:intra.test,DNS:cdn.test,IP:127.0.0.1");
const authorities = certificate ? [certificate.cert] : [];
describeWith(["openssl"], "TLS", () => {
  const tls = certificate ?? { key: "", cert: "" };
  const reach = { authorities };

  test("G08 a certificate nobody vouches for is refused, whatever the environment says; the token stays here", async () => {
    const seen: string[] = [];
    const { url } = await serveTls((request, response) => {
      seen.push(request.url ?? "");
      response.end();
    }, tls);
    const { NODE_TLS_REJECT_UNAUTHORIZED: before } = process.env;
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      const fetcher = new TestFetcher();
      expect(fetcher.logged.join()).toMatch(/NODE_TLS_REJECT_UNAUTHORIZED/);
      const error = await failureOf(fetcher.ask("GET", url, { token: "secret-token" }));
      expect(error).toMatchObject({ code: "NETWORK_ERROR", details: { reason: "tls" } });
      expect(error.message).toMatch(/certificate of .* was not accepted/);
      expect(seen).toEqual([]);
    } finally {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
    }
    expect(new TestFetcher().logged).toEqual([]);
  });

  test("a certificate for another name is refused", async () => {
    const { port } = await serveTls((_request, response) => response.end(), tls);
    const fetcher = new TestFetcher({ "other.test": ["127.0.0.1"] }, reach);
    const error = await failureOf(fetcher.ask("GET", `https://other.test:${port}`));
    expect(error).toMatchObject({ details: { reason: "tls" } });
  });

  test("an open port where TLS was expected", async () => {
    const proxy = await ChaosProxy.start({ answer: "HTTP/1.1 400 Bad\r\n\r\n" });
    const fetcher = new TestFetcher({}, { limits: { connectMs: 500 } });
    const error = await failureOf(fetcher.ask("GET", `https://127.0.0.1:${proxy.port}`, { attempts: 1 }));
    expect(["tls", "cut-off", "timeout"]).toContain(error.details?.["reason"]);
  });

  test("K27 rebinding: the address that was judged is the one that is used; each connection is judged anew", async () => {
    const { port, stop } = await serveTls((_request, response) => response.end("inside"), tls);
    const answers = [["127.0.0.1"], ["169.254.169.254"]];
    const lookups: string[] = [];
    const fetcher = new TestFetcher(
      {},
      {
        ...reach,
        async resolve(hostname) {
          lookups.push(hostname);
          return (answers.shift() ?? []).map((address) => ({ address, family: 4 }));
        },
      },
    );
    const url = `https://intra.test:${port}`;
    expect((await fetcher.ask("POST", url)).text()).toBe("inside");
    expect(lookups).toEqual(["intra.test"]);
    const error = await failureOf(fetcher.ask("POST", url));
    expect(error.message).toMatch(/is reserved/);
    await stop();
  });

  test("K27 a connection kept from an allowed request is no way in for one that is not", async () => {
    const { port } = await serveTls((_request, response) => response.end("inside"), tls);
    const fetcher = new TestFetcher({ "intra.test": ["127.0.0.1"] }, reach);
    const url = `https://intra.test:${port}`;
    expect((await fetcher.ask("GET", url)).text()).toBe("inside");
    expect(await failureOf(fetcher.request("GET", url))).toMatchObject({ details: { reason: "address" } });
  });

  test("https to http is refused, even to this machine", async () => {
    const open = await ChaosProxy.start(ok);
    const { url } = await serveTls((_request, response) => response.writeHead(302, { location: open.url }).end(), tls);
    const error = await failureOf(new TestFetcher({}, reach).request("GET", url, { allowPrivate: [url, open.url] }));
    expect(error.message).toMatch(/from an encrypted connection to an unencrypted one/);
    expect(open.requests).toEqual([]);
  });
});
