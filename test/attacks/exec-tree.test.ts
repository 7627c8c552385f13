import { describe, expect } from "vitest";
import { run } from "../../src/platform/exec/run.ts";
import { eventually } from "../harness/cli/processes.ts";
import { testWith } from "../harness/faults/faults.ts";
import { namespaceTest, outcomeOf, processesOf, Sleepers, startProgram, testFolder } from "./exec-attacks.ts";

/** Eleven sleepers: plain, in a session of their own, orphaned, deaf to SIGTERM, and a tree of several of these. */
const escapees = (seconds: string) => `
sleep ${seconds} &
setsid sleep ${seconds} &
setsid -f sleep ${seconds}
(setsid sh -c '(sleep ${seconds} &)' &)
(trap "" TERM HUP; nohup setsid sleep ${seconds} >/dev/null 2>&1 </dev/null &)
for i in 1 2 3; do setsid sh -c 'sleep ${seconds} & setsid sleep ${seconds} & wait' & done
`;
const howMany = 11;

const allThere = (sleepers: Sleepers) =>
  eventually("the whole tree", () => sleepers.alive().length === howMany || undefined);
const noneLeft = (sleepers: Sleepers) => eventually("the end of the tree", () => sleepers.alive().length === 0);

describe("F02 nobody of a command's tree outlives it in a namespace", () => {
  namespaceTest("when it is cancelled", async () => {
    const sleepers = new Sleepers();
    const controller = new AbortController();
    const running = run("sh", ["-c", `${escapees(sleepers.seconds)} wait`], {
      cwd: testFolder(),
      signal: controller.signal,
      containment: "namespace",
    });
    await allThere(sleepers);
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: "CANCELLED" });
    await noneLeft(sleepers);
  });

  namespaceTest("when its time is over, even where it is deaf to SIGTERM", async () => {
    const sleepers = new Sleepers();
    const deaf = `trap "" TERM; ${escapees(sleepers.seconds)} while :; do sleep 1; done`;
    const running = run("sh", ["-c", deaf], { cwd: testFolder(), deadlineMs: 1500, containment: "namespace" });
    await allThere(sleepers);
    expect(await running).toMatchObject({ timedOut: true, containment: "namespace" });
    await noneLeft(sleepers);
  });

  namespaceTest("F14 when it ends by itself and leaves daemons that keep its pipes open", async () => {
    const sleepers = new Sleepers();
    const script = `${escapees(sleepers.seconds)} echo done`;
    const result = await run("sh", ["-c", script], { cwd: testFolder(), containment: "namespace" });
    expect(result).toMatchObject({ code: 0, signal: null, timedOut: false });
    expect(result.stdout.toString()).toBe("done\n");
    await noneLeft(sleepers);
  });

  for (const how of ["SIGKILL", "SIGTERM", "exit"] as const) {
    namespaceTest(`when we end by ${how}`, async () => {
      const sleepers = new Sleepers();
      const source = `
        void run("sh", ["-c", ${JSON.stringify(`${escapees(sleepers.seconds)} wait`)}], { cwd: "/", containment: "namespace" });
        process.on("SIGUSR2", () => process.exit(0));`;
      const { child, ended } = startProgram(testFolder(), source);
      await allThere(sleepers);
      child.kill(how === "exit" ? "SIGUSR2" : how);
      await ended;
      await noneLeft(sleepers);
    });
  }

  namespaceTest("when we are killed while it starts", async () => {
    const sleepers = new Sleepers();
    const folder = testFolder();
    const attempt = async (delayMs: number) => {
      const source = `
        await run("true", [], { cwd: "/", containment: "namespace" });
        for (let i = 0; i < 4; i++)
          void run("sh", ["-c", "setsid sleep ${sleepers.seconds} & wait"], { cwd: "/", containment: "namespace" });
        setTimeout(() => process.kill(process.pid, "SIGKILL"), ${delayMs});`;
      await startProgram(folder, source).ended;
      await noneLeft(sleepers);
    };
    for (const delayMs of [0, 1, 2, 4, 8, 16]) await attempt(delayMs);
  });
});

testWith(["linux"], "F02 control: out of a mere process group they do escape", async () => {
  const sleepers = new Sleepers();
  await run("sh", ["-c", escapees(sleepers.seconds)], { cwd: testFolder(), containment: "group" });
  expect(sleepers.alive()).not.toEqual([]);
});

namespaceTest("F02 a namespace looks like an ordinary place to the command", async () => {
  const cwd = testFolder();
  const look = async (script: string) => {
    const { stdout, stderr } = await run("sh", ["-c", script], { cwd, containment: "namespace" });
    return `${stdout}${stderr}`;
  };
  // Its own number is the one that /proc knows, and it is not the first process, whom signals do not reach.
  expect(await look('[ "$(sed -n "s/^Pid:[^0-9]*//p" /proc/$$/status)" = $$ ] && [ $$ -gt 1 ] && echo same')).toBe(
    "same\n",
  );
  // Orphans are buried: none of these fifty is left as a zombie.
  const orphans =
    "for i in $(seq 50); do (sleep 0.01 &) ; done; sleep 0.3; grep -l '^State:.Z' /proc/[0-9]*/status; true";
  expect(await look(orphans)).toBe("");
  // The first process cannot be talked out of its office from inside.
  expect(await look("kill -TERM 1; kill -KILL 1; kill -HUP 1; echo still here")).toBe("still here\n");
  expect(await look("id -u")).toBe(`${process.getuid?.()}\n`);
});

testWith(["root", "prlimit", "bash"], "F02 a fork bomb ends with its time", async () => {
  const uid = 100_000 + process.pid;
  const source = `
    process.setgid(${uid}); process.setuid(${uid});
    const bomb = ["--nproc=80", "bash", "-c", "f() { f | f & }; f; sleep 600"];
    const { timedOut, containment } = await run("prlimit", bomb, { cwd: "/", deadlineMs: 1000, containment: "namespace" });
    console.log(JSON.stringify({ timedOut, containment }));`;
  const outcome = await outcomeOf(testFolder(), source);
  expect(outcome).toMatchObject({ timedOut: true });
  await eventually("the end of the bomb", () => processesOf(uid) === 0);
});
