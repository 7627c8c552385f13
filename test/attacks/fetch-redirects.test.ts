import { describe, expect, test } from "vitest";
import type { RequestOptions } from "../../src/platform/fetch/types.ts";
import { ChaosProxy, httpAnswer, jsonAnswer } from "../harness/faults/chaos-proxy.ts";
import { failureOf, TestFetcher } from "../harness/http/fetching.ts";

const ok = { answer: jsonAnswer({ reached: true }) };

describe("redirects", () => {
  const options: RequestOptions = {
    token: "secret-token",
    headers: { Cookie: "secret-cookie", "X-Api-Key": "secret-key", "X-Team-Id": "secret-team", Accept: "text/plain" },
  };

  test("G07 another origin gets no token, no cookie and no header of ours, nor does the first one afterwards", async () => {
    const first = await ChaosProxy.start([]);
    const other = await ChaosProxy.start({ answer: httpAnswer(302, { location: `${first.url}/back` }) });
    const home = await ChaosProxy.start([{ answer: httpAnswer(302, { location: `${other.url}/there` }) }]);
    const allowPrivate = [home.url, other.url, first.url];
    await failureOf(new TestFetcher().request("GET", `${home.url}/x`, { ...options, allowPrivate, attempts: 1 }));
    expect(home.requests[0]?.head).toMatch(/secret-token[\s\S]*/);
    expect(home.requests[0]?.head.match(/secret-/g)?.length).toBe(4);
    for (const { head } of [...other.requests, ...first.requests]) {
      expect(head).not.toMatch(/secret/);
      expect(head).toMatch(/^accept: text\/plain\r$/m);
    }
    expect([other.requests.length, first.requests.length]).toEqual([1, 1]);
  });

  test("the same origin gets them again", async () => {
    const home = await ChaosProxy.start([{ answer: httpAnswer(307, { location: "/new#part" }) }, ok]);
    const response = await new TestFetcher().ask("PUT", home.url, { ...options, body: "content" });
    expect(response.url.pathname).toBe("/new");
    expect(home.requests.map(({ head }) => head.split("\r\n")[0])).toEqual(["PUT / HTTP/1.1", "PUT /new HTTP/1.1"]);
    for (const { head, body } of home.requests) {
      expect(head.match(/secret-/g)?.length).toBe(4);
      expect(body).toBe("content");
    }
  });

  test.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
    [307, "POST", "POST"],
    [308, "DELETE", "DELETE"],
    [301, "PUT", "PUT"],
  ] as const)("%s turns %s into %s", async (status, method, becomes) => {
    const home = await ChaosProxy.start([
      { answer: httpAnswer(status, { location: "/new" }) },
      { answer: httpAnswer(200) },
    ]);
    const body = method === "HEAD" ? {} : { json: { a: 1 } };
    await new TestFetcher().ask(method, home.url, body);
    const [, second] = home.requests;
    expect(second?.head).toMatch(new RegExp(`^${becomes} /new `));
    expect(second?.body).toBe(becomes === "GET" || becomes === "HEAD" ? "" : '{"a":1}');
    if (becomes === "GET") expect(second?.head).not.toMatch(/^content-/m);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"] as const)("a %s is not sent on to another origin", async (method) => {
    const other = await ChaosProxy.start(ok);
    const home = await ChaosProxy.start({ answer: httpAnswer(308, { location: other.url }) });
    const allowPrivate = [home.url, other.url];
    const error = await failureOf(new TestFetcher().request(method, home.url, { body: "secret", allowPrivate }));
    expect(error).toMatchObject({ details: { reason: "redirect" } });
    expect(other.requests).toEqual([]);
  });

  test("K27 I17 each hop is judged: a private address cannot be redirected to", async () => {
    const inside = await ChaosProxy.start(ok);
    const targets = [
      inside.url,
      `http://localhost:${inside.port}`,
      "http://169.254.169.254/latest",
      "https://10.0.0.1/",
    ];
    for (const location of targets) {
      const home = await ChaosProxy.start({ answer: httpAnswer(302, { location }) });
      const error = await failureOf(new TestFetcher({ localhost: ["127.0.0.1"] }).ask("GET", home.url));
      expect(error).toMatchObject({
        code: "NETWORK_ERROR",
        details: { reason: expect.stringMatching(/address|insecure/) },
      });
    }
    expect(inside.requests).toEqual([]);
  });

  test("a few in a row are followed", async () => {
    const step = { answer: httpAnswer(302, { location: "/next" }) };
    const home = await ChaosProxy.start([step, step, step, step, step, ok]);
    expect((await new TestFetcher().ask("GET", home.url)).json()).toEqual({ reached: true });
    const tooMany = await ChaosProxy.start(step);
    expect(await failureOf(new TestFetcher().ask("GET", tooMany.url))).toMatchObject({
      details: { reason: "redirect" },
    });
    expect(tooMany.requests.length).toBe(6);
  });
});
