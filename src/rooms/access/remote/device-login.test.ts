import { describe, expect, it } from "vitest";
import { beginLogin as begin, granted, pending, slowDown } from "../../../../test/harness/http/device-server.ts";
import { ForgeError } from "../../../kernel/errors.ts";
import type { DeviceLogin } from "./device-login.ts";

const waitForApproval = (login: DeviceLogin, signal = new AbortController().signal) =>
  login.waitForApproval(signal, () => undefined);

async function refusal(work: Promise<unknown>): Promise<ForgeError> {
  const error = await work.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ForgeError);
  return error as ForgeError;
}

describe("a login on a device", () => {
  it("K13 waits the interval between polls, and 5 s longer each time it is told to slow down", async () => {
    const { login, waits, bodies } = await begin([pending, slowDown, pending, slowDown, granted]);
    await waitForApproval(login);
    expect(waits).toEqual([5, 5, 10, 10, 15]);
    expect(bodies).toEqual(Array.from({ length: 5 }, () => ({ deviceCode: "d".repeat(32) })));
  });

  it("keeps the sign-in where only its person can read it, with the server it is for", async () => {
    const { login, kept: read, mode, redactor } = await begin([granted]);
    await waitForApproval(login);
    const kept = read() ?? {};
    expect(kept).toMatchObject({ accessToken: "access-1234567", userId: "u-1", teamId: "t-1" });
    expect(kept["apiUrl"]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/);
    expect(Date.parse(String(kept["expiresAt"]))).toBeGreaterThan(0);
    if (process.platform !== "win32") expect(mode()).toBe(0o600);
    expect(redactor.text("access-1234567 refresh-1234567")).toBe("[redacted] [redacted]");
  });

  it("goes on after failures of the network and the server that pass", async () => {
    const { login } = await begin([{ status: 200, cut: true }, { status: 503, body: {} }, pending, granted]);
    expect((await waitForApproval(login)).userId).toBe("u-1");
  });

  it.each([
    ["access_denied", "denied"],
    ["expired_token", "expired"],
    ["invalid_device_code", "expired"],
  ])("ends with %s", async (error, words) => {
    const { login, kept } = await begin([pending, { status: 400, body: { error } }]);
    const { code, message } = await refusal(waitForApproval(login));
    expect(code).toBe("AUTH_FAILED");
    expect(message).toContain(words);
    expect(kept()).toBeUndefined();
  });

  it("ends by its own clock where the server goes on for ever", async () => {
    const { login } = await begin([pending], { expiresIn: 20 });
    expect((await refusal(waitForApproval(login))).message).toContain("expired");
  });

  it("says what was wrong where the server answers with something else", async () => {
    const { login } = await begin([{ status: 200, html: "<html>" }], { expiresIn: 20 });
    expect((await refusal(waitForApproval(login))).code).toBe("NETWORK_ERROR");
    expect((await refusal(begin([], { verificationUri: "javascript:alert(1)" }))).code).toBe("NETWORK_ERROR");
    expect((await refusal(begin([], { userCode: 7 }))).message).toContain("a code for this device");
  });

  it("stops at once when asked to, and keeps nothing", async () => {
    const { login, kept, bodies } = await begin([pending]);
    const { code } = await refusal(waitForApproval(login, AbortSignal.abort()));
    expect(code).toBe("CANCELLED");
    expect(bodies).toEqual([]);
    expect(kept()).toBeUndefined();
  });

  it("fills the code in where the person is sent", async () => {
    const { login } = await begin([pending]);
    expect(login.completeUri).toBe("https://forge.example/device?code=ABCD-2345");
    expect(login.otherSite).toEqual({ server: expect.stringMatching(/^127\.0\.0\.1:/), page: "forge.example" });
  });
});
