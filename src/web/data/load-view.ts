import { request } from "./api.ts";
import type { TicketView } from "./types.ts";

/** A ticket in full. */
export function loadView(id: string): Promise<TicketView> {
  return request<TicketView>("GET", `/api/tickets/${encodeURIComponent(id)}/view`);
}
