/** A clock that goes on evenly from the time at which it started: setting the machine's clock does not move it. */
export function steadyClock(): () => number {
  const offset = Date.now() - performance.now();
  return () => Math.floor(offset + performance.now());
}
