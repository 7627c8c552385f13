import { describe, expect, it } from "vitest";
import { CapturedStream, MemoryApp, run } from "../../../../test/harness/cli.ts";
import { ada } from "../../../../test/harness/memory-access.ts";
import { ForgeError } from "../../../kernel/errors.ts";

const app = (change: (app: MemoryApp) => void = () => undefined) => {
  const made = new MemoryApp();
  change(made);
  return made;
};

describe("forge login", () => {
  it("shows the address and the code beside the output, and says who is signed in", async () => {
    const { out, err, code, app: asked } = await run("login --url https://forge.example");
    expect(code).toBe(0);
    expect(out).toBe("Signed in to https://forge.example as ada@example.com.\n");
    expect(err).toContain("https://forge.example/device?code=ABCD-2345");
    expect(err).toContain("  ABCD-2345\n");
    expect(asked.accessDesk.deeds).toEqual([["beginLogin", { url: "https://forge.example", team: undefined }]]);
    expect(asked.failsOnSignals).toBe(true);
  });

  it("opens the browser for a person at a terminal, unless told not to", async () => {
    const opened = [["openBrowser", "https://forge.example/device?code=ABCD-2345"]];
    const terminal = () => new CapturedStream({ isTTY: true });
    expect((await run("login", { stdout: terminal() })).app.calls).toEqual(opened);
    expect((await run("login --no-browser", { stdout: terminal() })).app.calls).toEqual([]);
    expect((await run("login")).app.calls).toEqual([]);
  });

  it("shows how long the code still lasts, and leaves nothing of it", async () => {
    const stderr = new CapturedStream({ isTTY: true });
    await run("login", { stderr });
    expect(stderr.text).toContain("4:32 left");
    expect(stderr.text.endsWith("\r\x1b[K")).toBe(true);
  });

  const signedIn = (holds: boolean | ForgeError) =>
    app(({ accessDesk }) => {
      accessDesk.here = ada;
      accessDesk.holds = holds;
    });

  it("refuses where a sign-in still holds, unless it is to be replaced", async () => {
    const { err, code, app: asked } = await run("login", { app: signedIn(true) });
    expect(code).toBe(1);
    expect(err).toContain("You are signed in to https://forge.example already, as ada@example.com");
    expect(err).toContain("--replace");
    expect(err).toContain("forge logout");
    expect(asked.accessDesk.deeds).toEqual([]);
    expect(await run("login --replace", { app: signedIn(true) })).toMatchObject({ code: 0 });
  });

  it("replaces one that its server has ended, and keeps one whose server cannot be asked", async () => {
    expect(await run("login", { app: signedIn(false) })).toMatchObject({ code: 0 });
    const away = new ForgeError("NETWORK_ERROR", "Cannot reach it.", { next: ["Look at the cable."] });
    const { err, code, app: asked } = await run("login", { app: signedIn(away) });
    expect(code).toBe(2);
    for (const words of ["whether it still holds", "Cannot reach it.", "--replace", "Look at the cable."]) {
      expect(err).toContain(words);
    }
    expect(asked.accessDesk.deeds).toEqual([]);
  });

  it("never prints what a server says as more than text", async () => {
    const hostile = app(({ accessDesk }) => {
      accessDesk.pending = { ...accessDesk.pending, userCode: "AB\x1b[2JCD" };
    });
    expect((await run("login", { app: hostile })).err).not.toContain("\x1b");
  });

  it("gives one result as JSON", async () => {
    expect(JSON.parse((await run("login --json")).out)).toEqual(ada);
  });
});

describe("forge logout", () => {
  it.each([
    [{ toldServer: true }, "Signed out.\n", ""],
    [{ toldServer: false }, "Signed out.\n", "could not be told"],
    [
      { toldServer: false, hadEnded: true as const },
      "You are signed out here; the server no longer knew this sign-in.\n",
      "",
    ],
    [undefined, "Nobody was signed in.\n", ""],
  ])("%o", async (loggedOut, shown, noted) => {
    const { out, err, code } = await run("logout", {
      app: app(({ accessDesk }) => (accessDesk.loggedOut = loggedOut)),
    });
    expect({ out, code }).toEqual({ out: shown, code: 0 });
    if (noted === "") expect(err).toBe("");
    else expect(err).toContain(noted);
  });
});

describe("forge whoami", () => {
  it("shows the person, the team and the role", async () => {
    const { out } = await run("whoami");
    for (const part of [
      "https://forge.example",
      "Ada <ada@example.com>",
      "Engines (admin)",
      "tickets:read",
      "by forge login",
    ]) {
      expect(out).toContain(part);
    }
    expect(JSON.parse((await run("whoami --json")).out)).toMatchObject({
      email: "ada@example.com",
      there: { role: "admin" },
    });
  });

  it("says so where nobody is signed in", async () => {
    const nobody = app(({ accessDesk }) => {
      accessDesk.whoAmI = () =>
        Promise.reject(new ForgeError("AUTH_REQUIRED", "You are not signed in.", { next: ["Run `forge login`."] }));
    });
    const { err, code } = await run("whoami", { app: nobody });
    expect(code).not.toBe(0);
    expect(err).toContain("forge login");
  });
});

describe("forge token", () => {
  it("prints the secret alone, for a script to take", async () => {
    const {
      out,
      err,
      app: asked,
    } = await run("token create ci --scope tickets:read,tickets:write --scope activity:read --days 90");
    expect(out).toBe("fgp_secret\n");
    expect(err).toContain("this once");
    const scopes = ["tickets:read", "tickets:write", "activity:read"];
    expect(asked.accessDesk.deeds).toEqual([["createToken", { name: "ci", scopes, days: 90 }]]);
  });

  it("lists tokens without secrets, and ends one", async () => {
    const { out } = await run("token list");
    expect(out).toContain("5d0c9a2e");
    expect(out).toContain("never");
    expect((await run("token revoke 5d0c9a2e")).app.accessDesk.deeds).toEqual([["revokeToken", "5d0c9a2e"]]);
  });

  it.each([
    ["token frobnicate", "cannot"],
    ["token create --scope tickets:read", "what the token is for"],
    ["token create ci", "at least one scope"],
    ["token create ci --scope tickets:reed", "Did you mean `tickets:read`"],
    ["token create ci --scope tickets:read,all", "access:write"],
    ["token revoke", "which"],
  ])("forge %s is refused with what is missing", async (line, words) => {
    const { err, code, app: asked } = await run(line);
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(asked.accessDesk.deeds).toEqual([]);
  });
});

describe("forge invite", () => {
  it("prints the link alone, for the role and address given", async () => {
    const { out, app: asked } = await run("invite --role viewer --email grace@example.com");
    expect(out).toBe("https://forge.example/invite?code=abc\n");
    expect(asked.accessDesk.deeds).toEqual([["invite", { role: "viewer", email: "grace@example.com" }]]);
    expect((await run("invite")).app.accessDesk.deeds).toEqual([["invite", { role: "member", email: undefined }]]);
  });
});

describe("forge reset-password", () => {
  it("prints the link alone, and says how long it is good", async () => {
    const { out, err, app: asked } = await run("reset-password grace@example.com");
    expect(out).toBe("https://forge.example/reset?code=abc\n");
    expect(err).toContain("one use");
    expect(asked.accessDesk.deeds).toEqual([["resetLink", "grace@example.com"]]);
  });
});

describe("forge team", () => {
  it("lists the teams one is in, and makes another", async () => {
    expect((await run("team list")).out).toMatch(/engines +Engines +admin/);
    const { out, err, app: asked } = await run("team create Wheels");
    expect(out).toBe("wheels\n");
    expect(err).toContain("forge login --team wheels --replace");
    expect(asked.accessDesk.deeds).toEqual([["addTeam", "Wheels"]]);
  });

  it.each([
    ["team frobnicate", "cannot"],
    ["team create", "the team's name"],
    [["team", "create", " "], "the team's name"],
    [["login", "--team", "No Such!"], "small letters, digits and -"],
  ])("forge %s is refused with what is missing", async (line, words) => {
    const { err, code, app: asked } = await run(line);
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(asked.accessDesk.deeds).toEqual([]);
  });

  it("is what a login may ask for, and whoami tells of several", async () => {
    const { app: asked } = await run("login --team engines");
    expect(asked.accessDesk.deeds).toEqual([["beginLogin", { url: undefined, team: "engines" }]]);
    const several = app(({ accessDesk }) => {
      const mine = { id: "t-1", name: "Engines", slug: "engines", role: "admin" as const };
      const there = { team: mine, role: mine.role, scopes: [], teams: [mine, { ...mine, slug: "wheels" }] };
      accessDesk.who = { ...accessDesk.who, there };
    });
    expect((await run("whoami", { app: several })).out).toContain("engines (admin), wheels (admin)");
  });
});

describe("forge push-local", () => {
  it("tells how many were moved, and which have another id now", async () => {
    const { out } = await run("push-local", {
      app: app(({ accessDesk }) => {
        const moved = [
          { id: "T-001", newId: "T-007" },
          { id: "T-002", newId: "T-002" },
        ];
        accessDesk.pushed = { ...accessDesk.pushed, moved, before: [{ id: "T-003", newId: "T-003" }] };
      }),
    });
    expect(out).toContain("2 tickets moved to https://forge.example, team Engines.");
    expect(out).toContain("1 ticket had been moved before.");
    expect(out).toContain("T-001 is T-007 there");
    expect(out).not.toContain("T-002");
  });
});

describe("forge serve", () => {
  it("says where it is, and shows the setup link beside the output", async () => {
    const {
      out,
      err,
      app: asked,
    } = await run("serve --port 0 --data /srv/forge --public-url https://forge.example --trust-proxy");
    expect(out).toContain("http://127.0.0.1:7718");
    expect(out).not.toContain("setup");
    expect(err).toContain("http://127.0.0.1:7718/setup?code=abc");
    const request = {
      host: undefined,
      port: 0,
      data: "/srv/forge",
      publicUrl: "https://forge.example",
      trustProxy: true,
      resetAdmin: undefined,
    };
    expect(asked.calls).toEqual([["serveTeam", request]]);
  });

  it.each([
    ["https://forge.example", /^On a laptop: forge login --url https:\/\/forge\.example$/m],
    ["http://127.0.0.1:7718", /^On this machine: forge login --url http:\/\/127\.0\.0\.1:7718$/m],
    [undefined, /^(?!.*forge login)/s],
  ])("tells only of a login that would be made (%s)", async (loginUrl, words) => {
    const { out, err } = await run("serve", {
      app: app((made) => {
        made.served = { ...made.served, loginUrl, advice: "One thing.\nAnother." };
      }),
    });
    expect(out).toMatch(words);
    expect(err).toContain("One thing.\nAnother.\n");
  });

  it("asks for a link for whoever has forgotten the password", async () => {
    const { app: asked } = await run("serve --reset-admin ada@example.com");
    expect(asked.calls).toMatchObject([["serveTeam", { resetAdmin: "ada@example.com" }]]);
  });
});
