/** Apart from the schemas, so that reading a ticket loads none of theirs. */

export const maxChecks = 200;
/** Of a criterion's text, what a person is shown. */
export const maxSeen = 10_000;
