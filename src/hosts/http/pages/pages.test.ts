import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../../test/harness/commons/any-character.ts";
import { makePages, makeTeamPages, Visitor } from "../../../../test/harness/http/page-visitor.ts";
import { ada, home } from "../../../../test/harness/rooms/access.ts";
import type { Access } from "../../../rooms/access/service/access.ts";
import { html } from "./markup.ts";
import { codeIn } from "./user-code.ts";

const deviceFor = (access: Access) => access.devices.request("forge 1.0 on <b>laptop</b>", home);

describe("every page", () => {
  it("K15 may run and load nothing, be framed by nobody, be kept nowhere and tell no other site its address", async () => {
    const { app } = await makeTeamPages();
    const visitor = await new Visitor(app).signIn();
    for (const path of [
      "/",
      "/device",
      "/device?code=nonsense",
      "/signout",
      "/password",
      "/reset?code=x",
      "/setup?code=x",
      "/invite?code=x",
      "/setup",
    ]) {
      const { headers, html: shown } = await visitor.open(path);
      const policy = headers.get("content-security-policy") ?? "";
      for (const rule of ["default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"]) {
        expect(policy, path).toContain(rule);
      }
      const [, style = ""] = /<style>([\s\S]*?)<\/style>/.exec(shown) ?? [];
      expect(policy).toContain(`'sha256-${createHash("sha256").update(style).digest("base64")}'`);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(shown).not.toMatch(/<script|\son\w+=|style="/);
    }
  });

  it("has a label for every input that people fill in, and a token in every form that changes something", async () => {
    const { app } = await makeTeamPages();
    const pages = [await new Visitor(app).open("/signin"), await new Visitor(makePages().app).open("/setup?code=x")];
    pages.push(await (await new Visitor(app).signIn()).open("/device"));
    for (const { html: shown } of pages) {
      const inputs = [...shown.matchAll(/<input id="([^"]*)"/g)].map(([, id]) => id);
      expect(inputs.length).toBeGreaterThan(0);
      for (const id of inputs) expect(shown).toContain(`<label for="${id}">`);
      for (const [form] of shown.matchAll(/<form method="post"[\s\S]*?<\/form>/g))
        expect(form).toContain('name="csrf"');
    }
  });

  it("shows hostile text as text", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const { text: made } = html`<p title="${text}">${text}</p>`;
        expect(made.match(/[<>]/g)).toHaveLength(4);
        expect(made.match(/"/g)).toHaveLength(2);
      }),
    );
  });

  it("says that something failed inside, and logs what, without showing it", async () => {
    const { app, logged } = makePages({
      access: { sessions: { get: () => Promise.reject(new Error("disk /secret/place")) } } as never,
    });
    const visitor = new Visitor(app);
    visitor.cookies.set("forge_session", "x");
    await visitor.open("/");
    expect(visitor.status).toBe(500);
    expect(visitor.text).toContain("reference r-1");
    expect(visitor.html).not.toContain("secret");
    expect(logged.join()).toContain("disk /secret/place");
  });
});

describe("setting up", () => {
  const filled = { email: ada.email, name: "Ada", team: "Engines", password: ada.password };

  it("makes the first admin and signs them in", async () => {
    const { app, access } = makePages();
    const visitor = await new Visitor(app).open(`/setup?code=${await access.registration.setupCode()}`);
    await visitor.send("/setup", filled);
    expect(visitor.path).toBe("/");
    expect(visitor.text).toContain("ada@example.com");
    expect(await access.registration.setupCode()).toBeUndefined();
  });

  it("keeps what was typed, but for the password, where something is wrong", async () => {
    const { app, access } = makePages();
    const visitor = await new Visitor(app).open(`/setup?code=${await access.registration.setupCode()}`);
    await visitor.send("/setup", { ...filled, password: "short" });
    expect(visitor.status).toBe(400);
    expect(visitor.html).toMatch(/role="alert">A password must have/);
    expect([visitor.value("email"), visitor.value("name"), visitor.value("team")]).toEqual([
      "ada@example.com",
      "Ada",
      "Engines",
    ]);
    expect(visitor.value("password")).toBeUndefined();
    expect(visitor.html).not.toContain("short");
    await visitor.send("/setup", filled);
    expect(visitor.path).toBe("/");
  });

  it("is refused with a code that is not the server's", async () => {
    const { app, access } = makePages();
    await access.registration.setupCode();
    const visitor = await new Visitor(app).open("/setup?code=guessed");
    expect((await visitor.send("/setup", filled)).status).toBe(401);
    expect(await access.registration.setupCode()).toBeDefined();
  });
});

describe("signing in", () => {
  it("needs the right password, and keeps the email where it was wrong", async () => {
    const { app } = await makeTeamPages();
    const visitor = await new Visitor(app).open("/signin");
    await visitor.send("/signin", { email: ada.email, password: "wrong password" });
    expect(visitor.status).toBe(401);
    expect(visitor.value("email")).toBe(ada.email);
    expect(visitor.html).not.toContain("wrong password");
    await visitor.send("/signin", { email: ada.email, password: ada.password });
    expect(visitor.title).toBe("You are signed in");
  });

  it("leads back to the page of the board that was asked for, and to no other address", async () => {
    const { app } = await makeTeamPages();
    const after = async (to: string) => {
      const visitor = await new Visitor(app).open(`/signin?${new URLSearchParams({ to })}`);
      const { email, password } = ada;
      const [csrf = "", kept = ""] = ["csrf", "to"].map((name) => visitor.value(name)?.replaceAll("&#38;", "&"));
      const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const body = new URLSearchParams({ csrf, email, password, to: kept });
      return (await app.request("/signin", { method: "POST", body, headers: { cookie } })).headers.get("location");
    };
    for (const page of ["/board", "/board/tickets/T-001", "/board/list?status=READY&text=a%20b"])
      expect(await after(page)).toBe(page);
    for (const other of [
      "//evil.example",
      "/board//evil",
      "https://evil.example/board",
      "/board/../password",
      "/password",
    ])
      expect([other, await after(other)]).toEqual([other, "/"]);
  });

  it("K15 is refused from a form of another site: without its token, or with another visitor's", async () => {
    const { app } = await makeTeamPages();
    const fields = { email: ada.email, password: ada.password };
    const other = (await new Visitor(app).open("/signin")).value("csrf") ?? "";
    for (const csrf of ["", "x", other]) {
      const visitor = await new Visitor(app).open("/signin");
      await visitor.send("/signin", { ...fields, csrf });
      expect(visitor.status).toBe(403);
      expect([...visitor.cookies.keys()]).not.toContain("forge_session");
    }
  });

  it("takes forms only, and small ones", async () => {
    const { app } = await makeTeamPages();
    const json = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
    expect((await app.request("/signin", json)).status).toBe(400);
    const huge = { method: "POST", body: new URLSearchParams({ email: "x".repeat(20_000) }) };
    expect((await app.request("/signin", huge)).status).toBe(400);
  });

  it("keeps the session from scripts and other sites; over https the cookie is the host's alone", async () => {
    for (const [publicUrl, name, secure] of [
      ["http://localhost:7718", "forge_session", false],
      ["https://forge.example", "__Host-forge_session", true],
    ] as const) {
      const { app } = await makeTeamPages({ publicUrl: () => publicUrl });
      const visitor = await new Visitor(app).signIn();
      const cookie = visitor.setCookies.find((line) => line.startsWith(`${name}=`)) ?? "";
      expect(cookie).toMatch(/; HttpOnly/);
      expect(cookie).toMatch(/; SameSite=Lax/);
      expect(cookie).toMatch(/; Path=\//);
      expect(/; Secure/.test(cookie)).toBe(secure);
      expect(visitor.title).toBe("You are signed in");
    }
  });

  it("ends with signing out, on the server too", async () => {
    const { app, access } = await makeTeamPages();
    const visitor = await new Visitor(app).signIn();
    const cookie = visitor.cookies.get("forge_session") ?? "";
    await visitor.send("/signout", { csrf: "another" });
    expect(await access.sessions.get(cookie)).toBeDefined();
    await (await visitor.open("/")).send("/signout", {});
    expect(visitor.title).toBe("Sign in");
    expect(await access.sessions.get(cookie)).toBeUndefined();
    expect(visitor.cookies.has("forge_session")).toBe(false);
  });
});

describe("approving a device", () => {
  it("K15 needs a sign-in first, and goes on to the code after it", async () => {
    const { app, access } = await makeTeamPages();
    const { userCode } = await deviceFor(access);
    const visitor = await new Visitor(app).open(`/device?code=${userCode}`);
    expect(visitor.title).toBe("Sign in");
    await visitor.send("/signin", { email: ada.email, password: ada.password });
    expect(visitor.title).toBe("Authorize this device?");
  });

  it("K15 shows the program, its address, the time, what it could do, the code to compare, and a warning", async () => {
    const { app, access } = await makeTeamPages();
    const { userCode } = await deviceFor(access);
    const visitor = await new Visitor(app).signIn();
    await visitor.open(`/device?code=${userCode.toLowerCase().replace("-", " ")}`);
    for (const shown of [userCode, home.address, "tickets:write", "UTC", "Did somebody send you this code"]) {
      expect(visitor.text).toContain(shown);
    }
    expect(visitor.html).toContain("forge 1.0 on &#60;b&#62;laptop&#60;/b&#62;");
  });

  it("lets it in once approved, and keeps it out once denied", async () => {
    const { app, access } = await makeTeamPages();
    const visitor = await new Visitor(app).signIn();
    const yes = await deviceFor(access);
    await visitor.open(`/device?code=${yes.userCode}`);
    expect((await visitor.send("/device", { decision: "approve" })).title).toBe("Device connected");
    expect(await access.devices.redeem(yes.deviceCode, home)).toHaveProperty("accessToken");
    const no = await deviceFor(access);
    await visitor.open(`/device?code=${no.userCode}`);
    expect((await visitor.send("/device", { decision: "deny" })).title).toBe("Device denied");
    expect(await access.devices.redeem(no.deviceCode, home)).toMatchObject({ refusal: "access_denied" });
  });

  it("K15 is refused without the session's own token", async () => {
    const { app, access } = await makeTeamPages();
    const { userCode, deviceCode } = await deviceFor(access);
    const visitor = await new Visitor(app).signIn();
    await visitor.open(`/device?code=${userCode}`);
    await visitor.send("/device", { decision: "approve", csrf: "guessed" });
    expect(visitor.status).toBe(403);
    expect(await access.devices.redeem(deviceCode, home)).toMatchObject({ refusal: "authorization_pending" });
  });

  it("says so where no device waits with the code, and locks out who guesses", async () => {
    const { app } = await makeTeamPages();
    const visitor = await new Visitor(app).signIn();
    await visitor.open("/device?code=ABCD-2345");
    expect(visitor.status).toBe(404);
    expect(visitor.value("code")).toBe("ABCD-2345");
    for (let guess = 0; guess < 6; guess++) await visitor.send("/device", { code: "ABCD-2345" });
    expect(visitor.text).toContain("Too many failed attempts. Try again in 15 minutes.");
    expect([visitor.status, visitor.headers.get("retry-after")]).toEqual([429, "900"]);
  });

  it("K12 links with wrong codes, which any site can open, leave the form to the person", async () => {
    const { app, access } = await makeTeamPages();
    const visitor = await new Visitor(app).signIn();
    for (let link = 0; link < 6; link++) await visitor.open("/device?code=ABCD-2345");
    const { userCode } = await access.devices.request("a laptop", home);
    await visitor.open(`/device?code=${userCode}`);
    expect(visitor.title).toBe("Connect a device");
    await visitor.send("/device", { code: userCode });
    expect(visitor.title).toBe("Authorize this device?");
    expect((await visitor.send("/device", { decision: "approve" })).title).toBe("Device connected");
  });

  it("takes a code however it is typed, and nothing that cannot be one", () => {
    for (const typed of ["abcd2345", " ABCD-2345 ", "abcd 2345", "AB CD/23 45"])
      expect(codeIn(typed)).toBe("ABCD-2345");
    fc.assert(
      fc.property(fc.string(), (typed) => {
        expect(codeIn(typed)).toMatch(/^(?:[A-Z0-9]{4}-[A-Z0-9]{4})?$/);
      }),
    );
  });
});

describe("joining by invitation", () => {
  const grace = { email: "grace@example.com", name: "Grace", password: "a long enough one" };

  it("makes a member of the team, and is good for one person", async () => {
    const { app, access, admin } = await makeTeamPages();
    const { code } = await access.invitations.create(admin.by, { role: "member" }, home);
    const visitor = await new Visitor(app).open(`/invite?code=${code}`);
    expect(visitor.title).toBe("Join Acme");
    await visitor.send("/invite", grace);
    expect(visitor.text).toContain("grace@example.com");
    expect((await access.members.list(admin.by)).map(({ user }) => user.email).sort()).toEqual([
      "ada@example.com",
      "grace@example.com",
    ]);
    const late = await new Visitor(app).open(`/invite?code=${code}`);
    expect(late.status).toBe(404);
    expect(late.text).toContain("already used");
  });

  it("keeps what was typed where something is wrong, and fills in the address it is for", async () => {
    const { app, access, admin } = await makeTeamPages();
    const { code } = await access.invitations.create(admin.by, { role: "member", email: grace.email }, home);
    const visitor = await new Visitor(app).open(`/invite?code=${code}`);
    expect(visitor.value("email")).toBe("grace@example.com");
    await visitor.send("/invite", { ...grace, password: "short" });
    expect(visitor.status).toBe(400);
    expect([visitor.value("name"), visitor.value("password")]).toEqual(["Grace", undefined]);
  });
});

describe("what a page says at once", () => {
  it("leads back to the code after signing in, and to nothing else", async () => {
    const { app } = await makeTeamPages();
    const visitor = await new Visitor(app).open("/device");
    expect(visitor.path).toBe("/signin?device=enter");
    await visitor.send("/signin", { email: ada.email, password: ada.password });
    expect(visitor.title).toBe("Connect a device");
  });

  it("says that a setup link has been used, before anything is filled in", async () => {
    const { app } = await makeTeamPages();
    const visitor = await new Visitor(app).open("/setup?code=x");
    expect(visitor.status).toBe(404);
    expect(visitor.text).toContain("already been used");
  });
});
