import { Hono } from "hono";
import { UnsupportedPathError } from "hono/router";
import { expect, test } from "vitest";
import { PartsRouter } from "./parts-router.ts";

/** Answers with the handlers that a request passed through, and the variables of the last. */
function makeApp(router?: PartsRouter<never>): Hono {
  const app = new Hono(router ? { router } : {});
  const pass = (name: string) =>
    app.use(name, async (context, next) => {
      await next();
      context.header("passed", `${name} ${context.res.headers.get("passed") ?? ""}`);
    });
  pass("*");
  pass("/api/*");
  const addRoute = (method: string, path: string) =>
    app.on(method, path, (context) => context.json([method, path, context.req.param()]));
  addRoute("GET", "/api/tickets/archived");
  addRoute("GET", "/api/tickets/:id");
  addRoute("PATCH", "/api/tickets/:id");
  addRoute("GET", "/api/tickets/:id/history");
  addRoute("GET", "/api/teams/:team/members/:id");
  app.all("/api/tickets/archived", (context) => context.text("only GET", 405));
  addRoute("GET", "/");
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
  const ask = async (app: Hono) => {
    const answer = await app.request(path, { method });
    return [answer.status, answer.headers.get("passed"), await answer.text()];
  };
  const [ours, theirs] = [makeApp(new PartsRouter()), makeApp()];
  for (let time = 0; time < 2; time++) expect(await ask(ours)).toEqual(await ask(theirs));
});

test.each(["/a/:id{[0-9]+}", "/a/:id?", "/a/*/b"])("%s is refused when it is added", (path) => {
  expect(() => new PartsRouter().add("GET", path, 1)).toThrow(UnsupportedPathError);
});

test("of two paths neither of which is the more special one, the second is refused", () => {
  const router = new PartsRouter();
  router.add("GET", "/a/:b/c", 1);
  router.add("GET", "/a/:b/:c", 2);
  router.add("GET", "/d/e/:c", 3);
  expect(() => router.add("POST", "/a/b/:c", 4)).toThrow(UnsupportedPathError);
});
