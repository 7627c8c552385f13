/** Apart from the schemas, so that reading a ticket loads none of theirs. */
export const maxChecks = 200;
