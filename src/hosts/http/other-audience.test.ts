import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/harness/db/store.ts";
import { openServerWithPeople, publicUrl } from "../../../test/harness/http/team-server.ts";

const folder = temporaryFolder();
let stores = 0;

function open(url = publicUrl) {
  return openServerWithPeople({ file: `${folder()}/${++stores}/forge.db` }, { publicUrl: () => url });
}

/** A token as other issuers make them, signed with whatever the secret is. */
function jwt(claims: Record<string, unknown>, secret: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part({ exp: 4_102_444_800, ...claims })}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

describe("K02 a token that was made elsewhere or for elsewhere", () => {
  const elsewhere = "https://other.example";

  test("says nothing here: neither another Forge server's, nor one of an issuer that this server does not have", async () => {
    const [here, there] = [await open(), await open(elsewhere)];
    const named = await there.tokenWith("tickets:read", "tickets:write");
    const { user } = here.ada.by;
    const strangers = {
      "a sign-in there": there.token,
      "a token by name there": named,
      "for another audience": jwt({ sub: user.id, iss: publicUrl, aud: `${elsewhere}/api` }, here.token),
      "of another issuer": jwt({ sub: user.id, iss: elsewhere, aud: `${publicUrl}/api` }, here.token),
      "as if of this one": jwt({ sub: user.id, iss: publicUrl, aud: `${publicUrl}/api`, scope: "tickets:read" }, ""),
    };
    for (const token of [there.token, named])
      expect((await there.request("GET", "/api/tickets", { token })).status).toBe(200);
    for (const [what, token] of Object.entries(strangers)) {
      for (const [method, path] of [
        ["GET", "/api/tickets"],
        ["POST", "/api/tickets"],
        ["GET", "/api/events"],
      ] as const) {
        const response = await here.request(method, path, {
          token,
          ...(method === "POST" && { body: { title: "x" } }),
        });
        expect(response.status, what).toBe(401);
        expect(response.headers.get("www-authenticate")).toMatch(/^Bearer error="invalid_token", resource_metadata="/);
      }
    }
  });

  test("cannot be renewed here either, and what it is for is said by each server for itself", async () => {
    const [here, there] = [await open(), await open(elsewhere)];
    const body = { refreshToken: there.ada.pair.refreshToken };
    expect((await here.request("POST", "/api/auth/refresh", { body })).status).toBe(401);
    expect((await there.request("POST", "/api/auth/refresh", { body })).status).toBe(200);
    const resourceOf = async ({ request }: typeof here) =>
      (await (await request("GET", "/.well-known/oauth-protected-resource")).json()) as { resource: string };
    expect(await resourceOf(here)).toMatchObject({ resource: `${publicUrl}/api` });
    expect(await resourceOf(there)).toMatchObject({ resource: `${elsewhere}/api` });
  });
});
