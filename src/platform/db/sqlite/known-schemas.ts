/**
 * The hash of the newest schema. The build puts it here, so that opening a store does not have to make one to compare with.
 * Run from source, the program makes one.
 */
export const knownSchemas: readonly string[] = [];
