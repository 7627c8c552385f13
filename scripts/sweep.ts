/**
 * `npm run sweep [-- --only OPERATION,OPERATION --sample N --seed N]`: kills the durable operations, or makes them fail, at every system call they make,
 * and checks what is left behind. Prints the problems; exits with 1 if there are any.
 */
import { parseArgs } from "node:util";
import { seededRandom, shuffled } from "../bench/statistics.ts";
import { nameOf, Sweep } from "../test/harness/faults/sweep/sweep.ts";

const { values } = parseArgs({
  options: { seed: { type: "string", default: "1" }, sample: { type: "string" }, only: { type: "string" } },
});
const sweep = new Sweep();
try {
  const all = await sweep.points(values.only?.split(","));
  const points = values.sample ? shuffled(all, seededRandom(Number(values.seed))).slice(0, Number(values.sample)) : all;
  let missed = 0;
  let wrong = 0;
  for (const [index, point] of points.entries()) {
    const { hit, faults } = await sweep.check(point);
    if (!hit) missed++;
    if (faults.length > 0) {
      wrong++;
      console.log(`WRONG  ${nameOf(point)}\n       ${faults.join("\n       ")}`);
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${index + 1} of ${points.length}`);
  }
  console.log(`${points.length} of ${all.length} points, ${missed} not struck, ${wrong} wrong`);
  process.exitCode = wrong === 0 ? 0 : 1;
} finally {
  sweep.dispose();
}
