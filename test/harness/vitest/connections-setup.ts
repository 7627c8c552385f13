/**
 * Fetches of tests use each connection once. A server closes a connection that is idle for some seconds; on a busy machine a test can
 * be kept from noticing that for as long, and its next request on it would fail.
 */
const dispatcher = Symbol.for("undici.globalDispatcher.1");
const globals = globalThis as typeof globalThis & { [dispatcher]?: { constructor: new (options: object) => object } };

if (globals[dispatcher] === undefined) {
  // Node loads its client with the first request.
  await fetch("data:,");
  const agent = globals[dispatcher] as { constructor: new (options: object) => object } | undefined;
  if (agent) Object.assign(globals, { [dispatcher]: new agent.constructor({ pipelining: 0 }) });
}

export {};
