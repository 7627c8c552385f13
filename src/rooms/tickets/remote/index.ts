export { Copies } from "./copies.ts";
export { ServerMemory } from "./server-memory.ts";
export { RemoteTickets } from "./tickets.ts";
