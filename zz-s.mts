import { Hono } from "/work/main/node_modules/hono/dist/index.js";
import { request, Agent } from "node:http";
import { mkdtempSync } from "node:fs";
import { serveTeam } from "/work/main/src/server.ts";
import { listen } from "/work/main/src/hosts/http/listen.ts";
import { Redactor } from "/work/main/src/kernel/redact.ts";
import { openDatabase } from "/work/main/src/platform/db/database.ts";
import { migrations } from "/work/main/src/migrations.ts";
import { LocalAccess } from "/work/main/src/rooms/access/index.ts";
const dataDir = mkdtempSync("/tmp/perf-")+"/d";
const big = { perSecond: 1e6, burst: 1e6 };
const server = await serveTeam({ settings: { databaseUrl: undefined, ledgerDays: 90 }, dataDir, address: { port: 0 }, redactor: new Redactor(), log: () => {}, rates: { read: big, write: big } });
const db = openDatabase<any>({ file: dataDir + "/forge.db" }, migrations);
const access = new LocalAccess({ database: db });
const from = { address: "x" };
const code = new URL(server.setupUrl!).searchParams.get("code")!;
// the code is held by server's process state: use pages? try direct
let token = "";
const a2 = new LocalAccess({ database: db });
const c2 = await a2.setupCode();
await a2.setUp(c2!, { email: "a@b.co", displayName: "A", password: "correct horse" }, "T", from);
const s = await a2.signIn("a@b.co", "correct horse", from);
const d = await a2.requestDevice("x", from);
await a2.decideDevice(s.cookie, d.userCode, "approve", from);
const pair: any = await a2.redeemDevice(d.deviceCode, from);
token = pair.accessToken;

const body = JSON.stringify({ title: "One ticket", description: "x".repeat(500) });
await new Promise((resolve, reject) => { const r = request(server.url + "/api/tickets", { method: "POST", headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "content-length": body.length } }, (res) => { res.resume(); res.on("end", resolve); }); r.on("error", reject); r.end(body); });
const bare = new Hono();
bare.get("/t/:id", async (c: any) => { const row = await db.read((r: any) => r.selectFrom("ticket").selectAll().where("id", "=", c.req.param("id")).executeTakeFirst()); return c.json(row); });
bare.patch("/t/:id", async (c: any) => { const b = await c.req.json(); await db.transaction((tx: any) => tx.updateTable("ticket").set({ title: b.title }).where("id", "=", c.req.param("id")).execute()); return c.json({ ok: true }); });
const bl = await listen(bare as any, { host: "127.0.0.1", port: 0 }, false);

process.stdout.write(JSON.stringify({ ours: server.url, bare: bl.url, token }) + "\n");
process.stdin.on("data", async () => { await server.close(); await bl.close(); await db.close(); process.exit(0); });
