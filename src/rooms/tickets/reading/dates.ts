const isoPattern = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

/** An ISO 8601 date as the same moment in UTC; without a zone it is UTC already. Undefined for anything else. */
export function isoDate(value: unknown): string | undefined {
  const [, day, time = "00:00", zone = "Z"] = (typeof value === "string" && isoPattern.exec(value.trim())) || [];
  if (day === undefined || !isDay(day)) return undefined;
  const moment = new Date(`${day}T${time}${zone}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString();
}

/** `Date` makes the 2nd of March out of the 30th of February. */
function isDay(day: string): boolean {
  const moment = new Date(`${day}T00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day);
}
