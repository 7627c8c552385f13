/** The page to sign in at, which leads back to this one. */
export function signInPath(): string {
  return `/signin?${new URLSearchParams({ to: `${location.pathname}${location.search}` })}`;
}
