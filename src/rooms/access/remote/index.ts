export { DeviceLogin } from "./device-login.ts";
export { RemoteAccess } from "./remote-access.ts";
