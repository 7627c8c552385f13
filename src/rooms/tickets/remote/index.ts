export { Copies } from "./offline/copies.ts";
export { ServerMemory } from "./offline/server-memory.ts";
export { RemoteTickets } from "./tickets.ts";
