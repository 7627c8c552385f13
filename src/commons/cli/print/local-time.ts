/** A moment in the user's time zone; a text that is not a date stays as it is. */
export function localTime(at: number | string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()];
  const two = (part: number) => String(part).padStart(2, "0");
  return `${day.map(two).join("-")} ${time.map(two).join(":")}`;
}
