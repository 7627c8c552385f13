export { type ServerAddress, serverAddress } from "./address.ts";
export { type ChosenServer, chooseServer } from "./choose-server.ts";
export { readEvents as eventsIn } from "./events.ts";
export { ConfigFile, type StoredLogin } from "./login/config-file.ts";
export { FixedToken } from "./login/credentials.ts";
export { openServer } from "./open-server.ts";
export { type ApiPath, path, withPrefix } from "./path.ts";
export { type RemoteRequest, RemoteServer } from "./server.ts";
