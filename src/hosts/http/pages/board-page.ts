const maxLength = 500;

/** A page of the board that a sign-in leads back to; empty where it is none. No other address is followed. */
export function boardPageIn(text: string | undefined): string {
  const given = text ?? "";
  const isBoard = /^\/board(?:\/[\w.%-]+)*\/?(?:\?[\w.%=&+-]*)?$/.test(given);
  return isBoard && !given.includes("..") && given.length <= maxLength ? given : "";
}
