/** How long a server asks to wait. Dates are ignored: they would be compared with this machine's clock. */
export function retryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1_000 : undefined;
}
