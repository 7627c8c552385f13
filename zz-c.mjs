
import { request, Agent } from "node:http";
import { spawn } from "node:child_process";
const child = spawn("node", [...process.argv.slice(2), "zz-s.mjs"], { stdio: ["pipe", "pipe", "inherit"] });
const line = await new Promise((r) => child.stdout.once("data", (d) => r(JSON.parse(String(d)))));
const { ours, bare, token } = line;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
function call(url, method, body) {
  return new Promise((resolve, reject) => {
    const r = request(url, { method, agent, headers: { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }) } }, (res) => { res.resume(); res.on("end", () => resolve(res.statusCode)); });
    r.on("error", reject); r.end(body);
  });
}
async function rate(url, method, body, ms = 3000) {
  let n = 0, bad = 0; const until = performance.now() + ms; const start = performance.now(); const lat = [];
  await Promise.all(Array.from({ length: 64 }, async () => { while (performance.now() < until) { const t = performance.now(); const st = await call(url, method, body?.(n)); lat.push(performance.now() - t); if (st >= 300) bad++; n++; } }));
  lat.sort((a, b) => a - b);
  return { perSecond: Math.round(n / ((performance.now() - start) / 1000)), bad, p50: lat[Math.floor(lat.length / 2)].toFixed(1), p99: lat[Math.floor(lat.length * .99)].toFixed(1) };
}
for (let i = 0; i < 3; i++) {
  if (!process.env.ONLY) console.log("bare read", await rate(bare + "/t/T-001", "GET"));
  console.log("ours read", await rate(ours + "/api/tickets/T-001", "GET"));
}
if (!process.env.ONLY) {
console.log("bare patch", await rate(bare + "/t/T-001", "PATCH", (n) => JSON.stringify({ title: "Title " + n })));
console.log("ours patch", await rate(ours + "/api/tickets/T-001", "PATCH", (n) => JSON.stringify({ title: "Title " + n })));
}
child.stdin.write("x"); await new Promise((r) => child.once("exit", r)); process.exit(0);
