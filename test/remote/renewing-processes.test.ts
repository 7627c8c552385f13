import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { bundleProgram } from "../harness/cli/bundle-program.ts";
import { serve } from "../harness/http/fetching.ts";
import { Laptop, tokens } from "./laptop.ts";

const worker = await bundleProgram(new URL("./renewing-worker.ts", import.meta.url));

async function startProgram(api: string, file: string): Promise<ChildProcess> {
  const child = fork(worker, [api, file], { execArgv: [] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

async function ask(child: ChildProcess): Promise<unknown> {
  const answered = once(child, "message");
  child.send("ask");
  return (await answered)[0];
}

it("of several processes with one expired token one renews it, and no refresh token is used twice", async () => {
  let [access, refresh, refreshes] = [tokens.accessToken, tokens.refreshToken, 0];
  const used: string[] = [];
  const { url } = await serve((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const answer = (status: number, value: object) =>
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
      if (request.url !== "/api/auth/refresh") {
        return answer(request.headers.authorization === `Bearer ${access}` ? 200 : 401, {});
      }
      const { refreshToken } = JSON.parse(body);
      used.push(refreshToken);
      if (refreshToken !== refresh) return answer(401, {});
      refreshes++;
      [access, refresh] = [`access-token-9${refreshes}00`, `refresh-token-9${refreshes}00`];
      return answer(200, { accessToken: access, refreshToken: refresh, expiresAt: "2026-03-01T10:15:00.000Z" });
    });
  });
  const laptop = new Laptop();
  await laptop.signIn(`${url}/api`);
  const programs = await Promise.all([1, 2, 3, 4].map(() => startProgram(`${url}/api`, laptop.file.path)));
  for (let round = 1; round <= 5; round++) {
    access = "expired";
    expect(await Promise.all(programs.map(ask))).toEqual(programs.map(() => "answered"));
    expect(refreshes).toBe(round);
  }
  expect(new Set(used).size).toBe(used.length);
  expect(await laptop.file.read()).toMatchObject({ accessToken: access, refreshToken: refresh });
});
