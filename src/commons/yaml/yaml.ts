/** Named once here: a bundle finds the names of a CommonJS package only where they are imported statically. */
export { Parser, parseAllDocuments, stringify } from "yaml";
