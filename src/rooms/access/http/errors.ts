import { ForgeError } from "../../../kernel/errors.ts";
import { signInAgain } from "../model/errors.ts";
import type { DeviceRefusal } from "../model/model.ts";

export function needsSignIn(): ForgeError {
  return new ForgeError("AUTH_REQUIRED", "You must be signed in to do this.", {
    next: [
      { command: "login", why: "to sign in" },
      "Send the token of your sign-in, or an API token, in the header `Authorization: Bearer TOKEN`.",
    ],
  });
}

export function teamNotFound(id: string): ForgeError {
  return new ForgeError("NOT_FOUND", `There is no team ${id}.`, {
    details: { teamId: id },
    next: ["GET /api/me returns the team of your token."],
  });
}

const refusals: Record<DeviceRefusal, string> = {
  authorization_pending: "Authorization pending.",
  slow_down: "Polling too fast. The interval is longer now.",
  expired_token: "The code has expired or was already used.",
  access_denied: "The user denied the request.",
  invalid_device_code: "Unknown device code.",
};

/** The `error` of RFC 8628 is the label: existing clients switch on it. */
export function deviceRefused(refusal: DeviceRefusal, interval: number | undefined): ForgeError {
  const waits = refusal === "authorization_pending" || refusal === "slow_down";
  return new ForgeError("VALIDATION_ERROR", refusals[refusal], {
    label: refusal,
    ...(interval !== undefined && { details: { interval } }),
    next: [waits ? "Poll again after the interval." : signInAgain],
  });
}

export function needsBrowserSession(): ForgeError {
  return new ForgeError("AUTH_REQUIRED", "Approving a device needs a browser session; a token cannot do it.", {
    next: ["Open the verification address in a browser, sign in, and enter the code there."],
  });
}

export function unknownUserCode(): ForgeError {
  return new ForgeError("VALIDATION_ERROR", "No device is waiting with this code.", {
    label: "invalid_code",
    next: [
      "Compare it with the code that the device shows.",
      { command: "login", why: "on the device to get a new code" },
    ],
  });
}
