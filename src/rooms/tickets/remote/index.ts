export { Copies } from "./copies.ts";
export { RemoteTickets } from "./tickets.ts";
