export { type ServerAddress, serverAddress } from "./address.ts";
export { type ChosenServer, chooseServer } from "./choose-server.ts";
export { ConfigFile, type StoredLogin } from "./config-file.ts";
export { readEvents as eventsIn } from "./events.ts";
export { openServer } from "./open-server.ts";
export { path } from "./path.ts";
export { ProjectLinks } from "./project-links.ts";
export type { RemoteRequest, RemoteServer } from "./server.ts";
