export { type Author, authorOf, ForeignTexts } from "./foreign-texts.ts";
export { Guard } from "./guard.ts";
export type { Scope } from "./guarded-change.ts";
export { adoptedTicket, type MarkedText } from "./marks.ts";
export { anyFile, quoteName, sayWith, withoutAsking } from "./question.ts";
export { Seal } from "./seal.ts";
export { UserReadings } from "./user-readings.ts";
