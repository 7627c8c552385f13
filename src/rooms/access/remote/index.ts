export { DeviceLogin } from "./device-login.ts";
export { type MadeInvitation, type Me, RemoteAccess } from "./remote-access.ts";
