export { Copies } from "../../../commons/remote/offline/copies.ts";
export { ServerMemory } from "../../../commons/remote/offline/server-memory.ts";
export { RemoteTickets } from "./remote-tickets.ts";
