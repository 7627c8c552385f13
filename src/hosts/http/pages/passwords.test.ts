import { describe, expect, it } from "vitest";
import { makeTeamPages, Visitor } from "../../../../test/harness/http/page-visitor.ts";
import { ada, bob, home, join } from "../../../../test/harness/rooms/access.ts";

const anew = "a whole new one";

describe("the link for a new password", () => {
  it("sets it once, and what was signed in is out", async () => {
    const { app, access, admin } = await makeTeamPages();
    const member = await join(access, admin.by, bob, "member");
    const { code } = await access.recovery.createLink(admin.by, member.by.user.id, home);
    const visitor = await new Visitor(app).open(`/reset?code=${code}`);
    expect(visitor.title).toBe("Set a new password");
    expect(visitor.text).toContain(bob.email);
    await visitor.send("/reset", { password: anew, again: "another" });
    expect(visitor.status).toBe(400);
    expect(visitor.text).toContain("do not match");
    await visitor.send("/reset", { password: "short", again: "short" });
    expect(visitor.text).toContain("8 to 200 characters");
    await visitor.send("/reset", { password: anew, again: anew });
    expect([visitor.status, visitor.title]).toEqual([200, "Password set"]);
    expect(visitor.html).not.toContain(code);
    expect(await access.sessions.get(member.cookie)).toBeUndefined();
    await access.signIn.withPassword(bob.email, anew, home);
    expect((await new Visitor(app).open(`/reset?code=${code}`)).status).toBe(404);
  });

  it("K15 needs the form that this browser was shown", async () => {
    const { app, access, admin } = await makeTeamPages();
    const { code } = await access.recovery.createLink(admin.by, admin.by.user.id, home);
    const visitor = await new Visitor(app).send("/reset", { code, password: anew, again: anew, csrf: "forged" });
    expect(visitor.status).toBe(403);
    await access.signIn.withPassword(ada.email, ada.password, home);
  });

  it.each(["/reset", "/reset?code=", "/reset?code=fgw_%3Cb%3E"])("says of %s that it is no good", async (path) => {
    const { app } = await makeTeamPages();
    const visitor = await new Visitor(app).open(path);
    expect([visitor.status, visitor.title]).toEqual([404, "That did not work"]);
    expect(visitor.html).not.toContain("<b>");
  });
});

describe("changing one's own password", () => {
  it("asks for the old one, keeps this browser and signs the others out", async () => {
    const { app, access } = await makeTeamPages();
    const [here, there] = [await new Visitor(app).signIn(), await new Visitor(app).signIn()];
    await here.open("/password");
    await here.send("/password", { old: "not the old one", password: anew, again: anew });
    expect([here.status, here.title]).toEqual([401, "Change your password"]);
    await here.send("/password", { old: ada.password, password: anew, again: anew });
    expect([here.status, here.title]).toEqual([200, "Password changed"]);
    expect((await here.open("/")).title).toBe("You are signed in");
    expect((await there.open("/")).title).toBe("Forge server");
    await access.signIn.withPassword(ada.email, anew, home);
  });

  it("K15 sends strangers to sign in, and takes no form of another site's", async () => {
    const { app, access } = await makeTeamPages();
    expect((await new Visitor(app).open("/password")).title).toBe("Sign in");
    expect((await new Visitor(app).send("/password", { old: ada.password })).title).toBe("Sign in");
    const visitor = await new Visitor(app).signIn();
    await visitor.send("/password", { csrf: "forged", old: ada.password, password: anew, again: anew });
    expect(visitor.status).toBe(403);
    await access.signIn.withPassword(ada.email, ada.password, home);
  });

  it("L1: says in the header how long somebody is locked out", async () => {
    const { app } = await makeTeamPages();
    const visitor = await new Visitor(app).open("/signin");
    const statuses: number[] = [];
    for (let tries = 0; tries < 10; tries++) {
      await visitor.send("/signin", { email: ada.email, password: "wrong one" });
      statuses.push(visitor.status);
      if (visitor.status === 429) expect(visitor.text).toMatch(/try again in 16 seconds/i);
    }
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 401), 429]);
    expect(visitor.headers.get("retry-after")).toBe("16");
    expect([visitor.title, visitor.value("email")]).toEqual(["Sign in", ada.email]);
  });
});
