import { describe, expect, it } from "vitest";
import { CapturedStream, CliProject, type RunOptions } from "../../../../test/harness/cli/cli.ts";
import { eventually } from "../../../../test/harness/cli/processes.ts";
import { exists } from "../../../../test/harness/db/store.ts";
import { serve } from "../../../../test/harness/http/fetching.ts";
import { type ListeningTeam, saveSignIn, teamStarter } from "../../../../test/harness/http/listening-team.ts";
import { ada, bob, home } from "../../../../test/harness/rooms/access.ts";

const startTeam = teamStarter();

/** A project whose user works with a team's server. */
async function startProject(who: "signed in" | "nobody" = "signed in") {
  const team = await startTeam();
  const project = new CliProject();
  if (who === "signed in") team.saveSignIn(project);
  return { team, project };
}

/** Approves the login that a command waits for, once it shows its code. */
async function approveLogin({ access, admin }: ListeningTeam, stderr: CapturedStream): Promise<string> {
  const code = await eventually("a code", () => /\n {2}([A-Z2-9]{4}-[A-Z2-9]{4})\n/.exec(stderr.text)?.[1]);
  await access.devices.decide(admin.cookie, String(code), "approve", home);
  return String(code);
}

describe("forge login", () => {
  it("shows the address and the code beside the output, and says who is signed in", async () => {
    const { team, project } = await startProject("nobody");
    const stderr = new CapturedStream({ isTTY: true });
    const login = project.run(["login", "--url", team.url], { stderr });
    const code = await approveLogin(team, stderr);
    expect(await login).toMatchObject({
      code: 0,
      out: `Signed in to ${team.url} as ${ada.email}.\n`,
      failsOnSignals: true,
    });
    expect(stderr.text).toContain(`${team.url}/device?code=${code}`);
    expect(stderr.text).toMatch(/Waiting for you to approve, \d:\d\d left/);
    expect(stderr.text).toContain("\r\x1b[KRun `forge link` in a project to use your team's tickets there.\n");
    expect((await project.run("whoami --json")).json()).toMatchObject({ email: ada.email, by: "forge login" });
    // The project was not touched by it.
    expect(exists(`${project.root}/.forge`)).toBe(false);
  });

  /** Stopped as soon as it waits: only what it says before matters. */
  async function begun(project: CliProject, line: string[], options: RunOptions = {}) {
    const stop = new AbortController();
    const opened: string[] = [];
    const stderr = new CapturedStream();
    const ran = project.run(line, {
      stderr,
      signal: stop.signal,
      with: ({ terminal }) => ({
        terminal: {
          ...terminal,
          openBrowser: async (url: string) => {
            opened.push(url);
            return true;
          },
        },
      }),
      ...options,
    });
    await eventually("a code", () => /code=[A-Z2-9]{4}-[A-Z2-9]{4}/.test(stderr.text));
    stop.abort();
    return { ...(await ran), err: stderr.text, opened };
  }

  it("opens the browser for a user at a terminal, but not with --no-browser", async () => {
    const { team, project } = await startProject("nobody");
    const terminal = () => new CapturedStream({ isTTY: true });
    const shown = await begun(project, ["login", "--url", team.url], { stdout: terminal() });
    expect(shown.opened).toEqual([expect.stringContaining(`${team.url}/device?code=`)]);
    expect(shown.err).toContain("Your browser should show this page.");
    const hidden = await begun(project, ["login", "--url", team.url, "--no-browser"], { stdout: terminal() });
    expect(hidden.opened).toEqual([]);
    expect((await begun(project, ["login", "--url", team.url])).opened).toEqual([]);
  });

  it("warns of a server that sends its users to another site, and opens nothing there", async () => {
    const { project } = await startProject("nobody");
    const said = { deviceCode: "d".repeat(32), userCode: "ABCD-2345", expiresIn: 300, interval: 5 };
    const { url } = await serve((_request, response) =>
      response.end(JSON.stringify({ ...said, verificationUri: "https://good.example/device" })),
    );
    const stdout = new CapturedStream({ isTTY: true });
    const { err, opened } = await begun(project, ["login", "--url", url], { stdout });
    expect(err).toContain(`${new URL(url).host} would get access to your account on good.example.`);
    expect(opened).toEqual([]);
  });

  it("stopped with Ctrl+C saves nothing", async () => {
    const { team, project } = await startProject("nobody");
    const { code, err } = await begun(project, ["login", "--url", team.url]);
    expect(code).toBe(1);
    expect(err).toContain("The sign-in was stopped. Nothing was saved.");
    expect(exists(`${project.home}/.forge/config.json`)).toBe(false);
  });

  it("refuses if a sign-in is still valid, unless it is to be replaced", async () => {
    const { team, project } = await startProject();
    const { err, code } = await project.run("login");
    expect(code).toBe(1);
    expect(err).toContain(`You are already signed in to ${team.url} as ${ada.email}, and it is still valid.`);
    for (const words of ["--replace", "Run `forge logout` to sign out.", "Run `forge whoami`"])
      expect(err).toContain(words);
    expect((await begun(project, ["login", "--replace"])).err).toContain(`${team.url}/device`);
  });

  it("replaces one that its server has ended, and keeps one whose server cannot be asked", async () => {
    const { team, project } = await startProject();
    await team.access.tokens.end(team.admin.pair.accessToken, home);
    expect((await begun(project, ["login"])).err).toContain(`${team.url}/device`);
    const away = new CliProject();
    saveSignIn(away, "http://127.0.0.1:1", team.admin.pair);
    const { err, code } = await away.run("login");
    expect(code).toBe(2);
    for (const words of ["cannot check whether that is still valid", "--replace"]) expect(err).toContain(words);
  });

  it.each([
    [["login"], {}, "No Forge server is configured."],
    [["login", "--url", "nonsense"], {}, "--url"],
    [["login", "--team", "No Such!"], {}, "Short names have lowercase letters, digits and -."],
    [["login"], { FORGE_TOKEN: "fgp_x", FORGE_API_URL: "http://127.0.0.1:1/api" }, "FORGE_TOKEN is set"],
  ])("forge %s with %j says what is wrong", async (line, env, words) => {
    const { err, code } = await new CliProject().run(line, { env });
    expect(code).toBe(1);
    expect(err).toContain(words);
  });
});

describe("forge logout", () => {
  it("ends the sign-in on the server too", async () => {
    const { team, project } = await startProject();
    expect(await project.run("logout")).toMatchObject({ code: 0, out: "Signed out.\n", err: "" });
    expect(await team.access.tokens.authenticate(team.admin.pair.accessToken, undefined)).toBeUndefined();
    expect(exists(`${project.home}/.forge/config.json`)).toBe(false);
    expect(await project.run("logout")).toMatchObject({ code: 0, out: "You were not signed in.\n", err: "" });
  });

  it("says that the server had ended it", async () => {
    const { team, project } = await startProject();
    await team.access.tokens.end(team.admin.pair.accessToken, home);
    expect(await project.run("logout")).toMatchObject({
      out: "Signed out. The server had already ended this sign-in.\n",
      err: "",
    });
  });

  it("signs out here even if the server cannot be told", async () => {
    const { team } = await startProject("nobody");
    const project = new CliProject();
    saveSignIn(project, "http://127.0.0.1:1", team.admin.pair);
    const { out, err } = await project.run("logout");
    expect(out).toBe("Signed out.\n");
    expect(err).toContain("The server could not be told.");
    expect((await project.run("logout --json")).json()).toEqual({ signedOut: false, toldServer: false });
  });
});

describe("forge whoami", () => {
  it("shows the user, the team and the role", async () => {
    const { team, project } = await startProject();
    const { out } = await project.run("whoami");
    for (const part of [team.url, `Ada <${ada.email}>`, "Acme (admin)", "tickets:read", "with forge login"]) {
      expect(out).toContain(part);
    }
    expect(out).not.toContain("Teams ");
    expect((await project.run("whoami --json")).json()).toMatchObject({ email: ada.email, there: { role: "admin" } });
  });

  it("names the teams of a user who has several", async () => {
    const { project } = await startProject();
    await project.do("team create Wheels");
    expect((await project.run("whoami")).out).toContain("acme (admin), wheels (admin)");
  });

  it("knows a token by FORGE_TOKEN", async () => {
    const { team, project } = await startProject("nobody");
    const env = await team.envWithToken(team.admin);
    expect((await project.run("whoami", { env })).out).toContain("with FORGE_TOKEN");
  });

  it("says how to sign in", async () => {
    const { err, code } = await new CliProject().run("whoami");
    expect(code).toBe(1);
    expect(err).toBe(
      "error: You are not signed in to a Forge server.\n  Run `forge login --url https://HOST` to sign in.\n",
    );
  });
});

describe("forge token", () => {
  it("prints the secret alone, for a script to take", async () => {
    const { team, project } = await startProject();
    const { out, err } = await project.run(
      "token create ci --scope tickets:read,tickets:write --scope activity:read --days 90",
    );
    expect(out).toMatch(/^fgp_\S+\n$/);
    expect(err).toBe("This is shown only once. Store it like a password.\n");
    const by = await team.access.tokens.authenticate(out.trim(), undefined);
    expect(by?.scopes).toEqual(["tickets:read", "activity:read", "tickets:write"]);
    const made = (await project.run("token create ci --scope tickets:read --json")).json();
    expect(made).toMatchObject({ name: "ci", owner: ada.email, secret: expect.stringMatching(/^fgp_/) });
  });

  it("lists tokens without secrets, and revokes one", async () => {
    const { project } = await startProject();
    const secret = await project.do("token create ci --scope tickets:read");
    const stdout = new CapturedStream({ isTTY: true, columns: 200 });
    await project.run("token list --no-color", { stdout });
    expect(stdout.text).toMatch(/^ID +NAME +OWNER +EXPIRES +LAST USED +SCOPES\n/);
    expect(stdout.text).toMatch(/ci +ada@example\.com +never +never +tickets:read/);
    expect(stdout.text).not.toContain(secret);
    const tokens = JSON.parse((await project.run("token list --json")).out) as { id: string; name: string }[];
    const id = tokens.find(({ name }) => name === "ci")?.id ?? "";
    expect((await project.run(["__complete", "--", "token", "revoke", id.slice(0, 8)])).out).toContain(`${id}\tci\n`);
    expect(await project.run(`token revoke ${id}`)).toMatchObject({ code: 0, out: `Revoked ${id}.\n` });
    expect((await project.run(`token revoke ${id}`)).err).toContain("There is no token");
    expect((await project.run("token list")).out).not.toContain(id);
  });

  it.each([
    ["token frobnicate", "`forge token` has no command"],
    ["token create --scope tickets:read", "needs NAME: What the token is for."],
    ["token create ci", "--scope: a token needs at least one scope"],
    ["token create ci --scope tickets:reed", "Did you mean `tickets:read`"],
    ["token create ci --scope tickets:read,all", "access:write"],
    ["token create ci --scope tickets:read --days 0", "--days"],
    ["token revoke", "needs ID"],
  ])("forge %s says what is missing", async (line, words) => {
    const { err, code } = await new CliProject().run(line);
    expect(code).toBe(1);
    expect(err).toContain(words);
  });

  it("an API token cannot create another one", async () => {
    const { team, project } = await startProject("nobody");
    const env = await team.envWithToken(team.admin);
    const { err, code } = await project.run("token create ci --scope tickets:read", { env });
    expect(code).toBe(1);
    expect(err).toContain("an API token cannot");
  });
});

describe("forge invite and reset-password", () => {
  it("print the link alone", async () => {
    const { team, project } = await startProject();
    const { out, err } = await project.run("invite --role viewer --email grace@example.com");
    expect(out).toMatch(/\/invite\?code=fgi_\S+\n$/);
    expect(err).toMatch(/^Valid for one person until 20\S+ \S+\. This is shown only once\.\n$/);
    const code = new URL(out.trim()).searchParams.get("code") ?? "";
    expect(await team.access.invitations.get(code)).toMatchObject({ role: "viewer", email: "grace@example.com" });
    expect((await project.run("invite --json")).json()).toMatchObject({
      link: expect.any(String),
      id: expect.any(String),
    });
  });

  it("the reset link is for a member, by their address", async () => {
    const { team, project } = await startProject();
    await team.join();
    const { out, err } = await project.run(`reset-password ${bob.email}`);
    expect(out).toMatch(/\/reset\?code=fgw_\S+\n$/);
    expect(err).toContain("Works once, until");
    const unknown = await project.run("reset-password nobody@example.com");
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining("Nobody in your team has the address") });
    expect(unknown.err).toContain("Run `forge invite` to invite a new member.");
  });

  it("need an admin", async () => {
    const { team, project } = await startProject("nobody");
    const member = await team.join();
    const { code, err } = await project.run("invite", { env: team.envOf(member) });
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining("access:write") });
  });
});

describe("forge team", () => {
  it("lists the user's teams, and creates another", async () => {
    const { project } = await startProject();
    const { out, err } = await project.run("team create Wheels");
    expect(out).toBe("wheels\n");
    expect(err).toContain("forge login --team wheels --replace");
    expect((await project.run("team list")).out).toBe("acme\tAcme\tadmin\nwheels\tWheels\tadmin\n");
    expect(JSON.parse((await project.run("team list --json")).out)).toMatchObject([
      { slug: "acme", role: "admin" },
      {},
    ]);
  });

  it("shows the team's ledger and audit log, with one name for one person", async () => {
    const { team, project } = await startProject();
    const member = await team.join();
    await project.do(["create", "Add logout"]);
    await project.do("claim T-001 --worker builder");
    await project.run("list", { env: team.envOf(member) });
    const ledger = await project.do("team ledger");
    const lines = ledger.trimEnd().split("\n");
    expect(lines.find((line) => line.includes("ticket:T-001"))?.split("\t")[3]).toBe("Ada");
    expect(new Set(lines.map((line) => line.split("\t")[3]))).toEqual(new Set(["Ada", "Bob"]));
    expect(ledger).not.toContain("team:");
    const times = lines.map((line) => line.split("\t")[0]);
    expect(times).toEqual([...times].sort());
    expect(JSON.parse((await project.run("team ledger -n 1 --json")).out)).toHaveLength(1);
    expect(await project.run("team ledger --since 1w")).toMatchObject({
      code: 0,
      out: expect.stringContaining("T-001"),
    });
    expect((await project.run("team ledger --since 2099-01-01")).err).toContain("No entries.");
    expect((await project.run("team ledger --since soon")).err).toContain("--since cannot be");
    const audit = await project.do("team audit");
    expect(audit).toMatch(/^20\S+ \S+\tAda\tsetup\t/m);
    expect(audit).toMatch(/\tBob\tinvitation\S*\t/);
    expect(JSON.parse((await project.run("team audit --json")).out)).toMatchObject({
      intact: true,
      entries: expect.arrayContaining([expect.objectContaining({ actor: ada.email, user: "Ada" })]),
    });
    // The same name in the ticket, in the claim and in the project's own ledger.
    expect((await project.run("show T-001 --json")).json()).toMatchObject({ createdBy: "Ada", assignee: "Ada" });
    expect(await project.do("log")).toMatch(/ Ada +.*ticket:T-001/);
    expect((await project.run("team audit", { env: team.envOf(member) })).err).toContain("admin");
  });

  it.each([
    ["team frobnicate", "Its commands are proof, list, create, ledger or audit"],
    ["team create", "needs NAME: The team's name."],
    [["team", "create", " "], "NAME"],
  ])("forge %s says what is missing", async (line, words) => {
    const { err, code } = await new CliProject().run(line);
    expect(code).toBe(1);
    expect(err).toContain(words);
  });
});

it("none of these commands opens the project's store, or is known to assistants", async () => {
  const { project } = await startProject();
  for (const line of ["whoami", "team list", "token list"]) await project.do(line);
  expect(exists(`${project.root}/.forge`)).toBe(false);
  expect((await project.run("call list_tokens")).err).toContain('There is no tool named "list_tokens".');
});
