import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { serverMarkFile, writeServerMark } from "../../src/platform/state/server-mark.ts";
import { Patient } from "../harness/rooms/patient.ts";

let patient: Patient;

beforeEach(() => {
  patient = new Patient();
  vi.stubEnv("HOME", patient.sandbox.environment["HOME"]);
});

describe("the program", () => {
  function program(name: string, packageName?: string): string {
    const bin = join(patient.sandbox.root, name, "bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, "forge"), "#!/bin/sh\n", { mode: 0o755 });
    if (packageName) writeFileSync(join(bin, "..", "package.json"), JSON.stringify({ name: packageName }));
    return bin;
  }

  test("not on the PATH, on it, hidden by another one, or by another installation", async () => {
    const own = program("own", "forge-mcp");
    const [other, elsewhere] = [program("foundry"), program("elsewhere", "forge-mcp")];
    const look = (...folders: string[]) =>
      patient.find("path", { program: join(own, "forge"), environment: { PATH: ["bin", ...folders].join(":") } });
    expect(await look("/nonexistent")).toMatchObject({
      state: "warning",
      message: expect.stringContaining("`forge` is not on the PATH"),
    });
    expect(await look(own)).toMatchObject({ state: "ok", message: `${join(own, "forge")}.` });
    expect(await look(own, other)).toMatchObject({ state: "ok", message: expect.stringContaining("it shadows") });
    expect(await look(other, own)).toMatchObject({
      state: "warning",
      message: expect.stringContaining("another program"),
    });
    expect(await look(elsewhere, own)).toMatchObject({
      state: "warning",
      message: expect.stringContaining("another installation"),
    });
  });

  test("with a code cache that cannot be used, or holds what is of no use", async () => {
    const cache = join(patient.sandbox.root, "cache", "forge-mcp");
    const environment = { XDG_CACHE_HOME: join(patient.sandbox.root, "cache") };
    expect(await patient.find("code-cache", { environment })).toMatchObject({ state: "ok" });
    expect(await patient.find("code-cache", { environment: { FORGE_CODE_CACHE: "off" } })).toMatchObject({
      message: expect.stringContaining("Off"),
    });
    mkdirSync(cache, { recursive: true, mode: 0o755 });
    chmodSync(cache, 0o777);
    expect(await patient.find("code-cache", { environment })).toMatchObject({ state: "warning", fixable: true });
    expect(await patient.find("code-cache", { environment }, true)).toMatchObject({
      state: "ok",
      fixed: expect.any(String),
    });
    const current = `0123456789abcdef-${process.version}-${process.arch}-main.v8`;
    const names = [current, `${current}.123`, `0123456789abcdef-v18.0.0-${process.arch}-main.v8`, "notes.txt"];
    for (const name of names) writeFileSync(join(cache, name), "x");
    expect(await patient.find("code-cache", { environment }, true)).toMatchObject({
      fixed: expect.stringContaining("2 unused"),
    });
    expect(names.filter((name) => existsSync(join(cache, name)))).toEqual([current, "notes.txt"]);
    rmSync(cache, { recursive: true });
    writeFileSync(cache, "");
    expect(await patient.find("code-cache", { environment })).toMatchObject({ state: "warning", fixable: false });
  });
});

describe("the server", () => {
  async function serve(page: string): Promise<string> {
    const server = createServer((_request, response) => response.end(page));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test("answers, does not, is somebody else, or was killed", async () => {
    await patient.makeStore();
    const { stateDir } = patient;
    const mark = { pid: process.pid, version: "1.2.3" };
    expect(await patient.find("server")).toMatchObject({
      state: "ok",
      message: expect.stringContaining("Not running"),
    });
    const takeBack = writeServerMark(stateDir, { ...mark, url: await serve("<title>Forge</title>") });
    expect(await patient.find("server")).toMatchObject({ state: "ok", message: expect.stringContaining("answers at") });
    takeBack();
    expect(existsSync(serverMarkFile(stateDir))).toBe(false);
    writeServerMark(stateDir, { ...mark, url: await serve("<title>Another</title>") });
    expect(await patient.find("server")).toMatchObject({
      state: "warning",
      message: expect.stringContaining("does not answer"),
    });
    const child = spawn(process.execPath, ["-e", "0"]);
    await once(child, "exit");
    writeServerMark(stateDir, { url: "http://127.0.0.1:9", pid: child.pid ?? 0, version: "1.2.3" });
    expect(await patient.find("server")).toMatchObject({ state: "warning", fixable: true });
    expect(await patient.find("server", {}, true)).toMatchObject({ state: "ok", fixed: "Removed the old address." });
    expect(existsSync(serverMarkFile(stateDir))).toBe(false);
  });

  test("is never one that a file of the project names", async () => {
    await patient.makeStore();
    const { stateDir } = patient;
    const url = await serve("<title>Forge</title>");
    writeFileSync(join(stateDir, "server.json"), JSON.stringify({ url, pid: process.pid, version: "1" }));
    expect(await patient.find("server")).toMatchObject({
      state: "ok",
      message: expect.stringContaining("Not running"),
    });
  });
});
