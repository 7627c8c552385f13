import { describe, expect, it } from "vitest";
import { makeTeamPages, Visitor } from "../../../../test/harness/http/page-visitor.ts";
import { bob, home, join } from "../../../../test/harness/rooms/access.ts";

async function open(wished?: string) {
  const pages = await makeTeamPages();
  const beta = await pages.access.teams.create(pages.admin.by, "Beta <b>", home);
  const { userCode, deviceCode } = await pages.access.devices.request("forge", home, wished);
  const redeem = async () => {
    const answer = await pages.access.devices.redeem(deviceCode, home);
    return "refusal" in answer ? answer.refusal : answer.team.name;
  };
  return { ...pages, beta, userCode, redeem };
}

const chosen = ({ html }: Visitor) => /<option value="([^"]*)" selected>/.exec(html)?.[1];

describe("the team that a device is for", () => {
  it("is chosen by a person who has several", async () => {
    const { app, beta, userCode, redeem } = await open();
    const visitor = await (await new Visitor(app).signIn()).open(`/device?code=${userCode}`);
    expect([...visitor.html.matchAll(/<option value="/g)]).toHaveLength(2);
    expect(visitor.html).not.toContain("Beta <b>");
    await visitor.send("/device", { decision: "approve", team: beta.id });
    expect(visitor.title).toBe("Device connected");
    expect(await redeem()).toBe("Beta <b>");
  });

  it("is not the only one that it may work in, which the page says", async () => {
    const { app, access, admin, userCode } = await open();
    const visitor = await (await new Visitor(app).signIn()).open(`/device?code=${userCode}`);
    expect(visitor.text).toContain("It can also work in your other teams");
    await join(access, admin.by, bob, "member");
    const member = new Visitor(app);
    await member.open("/signin");
    await member.send("/signin", { email: bob.email, password: bob.password });
    await member.open(`/device?code=${userCode}`);
    expect(member.text).toContain(`For your team ${admin.by.team.name}, and for teams that you join later`);
    // A member cannot grant what only an admin may do.
    expect(member.text).toContain("tickets:write");
    expect(member.text).not.toContain("access:write");
  });

  it("is the one that the device asks for, where the person leaves it so", async () => {
    const { app, beta, userCode } = await open("beta-b");
    const visitor = await (await new Visitor(app).signIn()).open(`/device?code=${userCode}`);
    expect(chosen(visitor)).toBe(beta.id);
  });

  it("is nobody else's: what is asked for in vain is said, and a choice is needed", async () => {
    const { app, access, admin, beta, userCode, redeem } = await open("nowhere");
    const visitor = await (await new Visitor(app).signIn()).open(`/device?code=${userCode}`);
    expect(visitor.text).toContain("which you are not in");
    expect(chosen(visitor)).toBeUndefined();
    expect((await visitor.send("/device", { decision: "approve", team: "" })).status).toBe(400);
    const member = await join(access, admin.by, bob, "member");
    const stranger = new Visitor(app);
    await stranger.open("/signin");
    await stranger.send("/signin", { email: bob.email, password: bob.password });
    await stranger.open(`/device?code=${userCode}`);
    expect((await stranger.send("/device", { decision: "approve", team: beta.id })).status).toBe(403);
    expect(await redeem()).toBe("authorization_pending");
    await stranger.open(`/device?code=${userCode}`);
    await stranger.send("/device", { decision: "approve", team: member.by.team.id });
    expect(stranger.title).toBe("Device connected");
  });
});
