import { Hono } from "hono";
import { UnsupportedPathError } from "hono/router";
import { expect, test } from "vitest";
import { PartsRouter } from "./parts-router.ts";

/** Says which handlers a request passes through, and the last with what variables. */
function sample(router?: PartsRouter<never>): Hono {
  const app = new Hono(router ? { router } : {});
  const pass = (name: string) =>
    app.use(name, async (context, next) => {
      await next();
      context.header("passed", `${name} ${context.res.headers.get("passed") ?? ""}`);
    });
  pass("*");
  pass("/api/*");
  const answer = (method: string, path: string) =>
    app.on(method, path, (context) => context.json([method, path, context.req.param()]));
  answer("GET", "/api/tickets/archived");
  answer("GET", "/api/tickets/:id");
  answer("PATCH", "/api/tickets/:id");
  answer("GET", "/api/tickets/:id/history");
  answer("GET", "/api/teams/:team/members/:id");
  app.all("/api/tickets/archived", (context) => context.text("only GET", 405));
  answer("GET", "/");
  return app;
}

test.each([
  ["GET", "/"],
  ["GET", "/api"],
  ["GET", "/api/tickets/archived"],
  ["PATCH", "/api/tickets/archived"],
  ["DELETE", "/api/tickets/archived"],
  ["GET", "/api/tickets/T-001"],
  ["HEAD", "/api/tickets/T-001"],
  ["POST", "/api/tickets/T-001"],
  ["GET", "/api/tickets/"],
  ["GET", "/api/tickets/T-001/"],
  ["GET", "/api/tickets/a%2Fb%20c/history"],
  ["GET", "/api/tickets/%E0%A4%A"],
  ["GET", "/api/tickets/:id"],
  ["GET", "/api/teams/t/members/m?limit=3"],
  ["GET", "/apis/x"],
  ["GET", "/nowhere"],
])("%s %s goes where Hono's own routers send it", async (method, path) => {
  const seen = async (app: Hono) => {
    const answer = await app.request(path, { method });
    return [answer.status, answer.headers.get("passed"), await answer.text()];
  };
  const [ours, theirs] = [sample(new PartsRouter()), sample()];
  for (let time = 0; time < 2; time++) expect(await seen(ours)).toEqual(await seen(theirs));
});

test("what it does not know is refused when it is added", () => {
  for (const path of ["/a/:id{[0-9]+}", "/a/:id?", "/a/*/b"]) {
    expect(() => new PartsRouter().add("GET", path, 1)).toThrow(UnsupportedPathError);
  }
});
