/** A file in the project's state folder: it has memories. Looking for it costs less than asking the store. */
export const memoriesMark = "has-memories";
