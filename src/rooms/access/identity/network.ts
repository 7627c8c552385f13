/** What counts as one address: an IPv4 address, or the IPv6 network of one subscriber, who has 2^64 addresses to try from. */
export function networkOf(address: string): string {
  const [bare = ""] = address.trim().toLowerCase().slice(0, 100).split("%");
  if (!bare.includes(":")) return bare;
  const last = bare.slice(bare.lastIndexOf(":") + 1);
  if (last.includes(".")) return last;
  const [head = "", tail] = bare.split("::");
  const groups = head === "" ? [] : head.split(":");
  const behind = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? 0 : Math.max(0, 8 - groups.length - behind.length);
  const address64 = [...groups, ...Array.from({ length: gap }, () => "0"), ...behind];
  const network = address64.slice(0, 4).map((group) => group.replace(/^0{1,3}/, "") || "0");
  return `${network.join(":")}::/64`;
}

/** What may all be one subscriber's: an IPv4 address, or the largest IPv6 network that providers give to one, which holds 65,536 of the others. */
export function siteOf(address: string): string {
  const network = networkOf(address);
  return network.endsWith("::/64") ? `${network.split(":").slice(0, 3).join(":")}::/48` : network;
}
