import { BlockList, isIPv6 } from "node:net";

/**
 * `public`: the internet. `private`: this machine or its networks, reached only where the user has named the origin. `never`:
 * no server of anybody's (cloud metadata, link-local, multicast, unspecified, reserved), whatever the configuration says.
 */
export type AddressKind = "public" | "private" | "never";

type Subnet = [network: string, prefix: number];

const privateV4: Subnet[] = [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
];

const neverV4: Subnet[] = [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Metadata services that are not link-local: Alibaba's, Azure's.
  ["100.100.100.200", 32],
  ["168.63.129.16", 32],
];

const privateV6: Subnet[] = [
  ["::1", 128],
  ["fc00::", 7],
];

const neverV6: Subnet[] = [
  // Amazon's metadata service, inside the private range.
  ["fd00:ec2::254", 128],
  // Tunnels that carry an IPv4 address of the sender's choice, test networks, identifiers that are not addresses.
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** All that is given out for the internet, and the two forms in which IPv6 carries an IPv4 address. */
const knownV6: Subnet[] = [
  ["2000::", 3],
  ["::ffff:0:0", 96],
  ["64:ff9b::", 96],
];

const carriers = ["::ffff:", "64:ff9b::"];

const never = listOf(neverV4, neverV6);
const inside = listOf(privateV4, privateV6);
const known = listOf([], knownV6);
const loopback = listOf([["127.0.0.0", 8]], [["::1", 128]]);

export function kindOf(address: string): AddressKind {
  if (has(never, address)) return "never";
  if (has(inside, address)) return "private";
  return !isIPv6(address) || has(known, address) ? "public" : "never";
}

export function isLoopback(address: string): boolean {
  return has(loopback, address);
}

function has(list: BlockList, address: string): boolean {
  const [bare = ""] = address.split("%");
  return list.check(bare, isIPv6(bare) ? "ipv6" : "ipv4");
}

/** An IPv4 network counts in each of its IPv6 forms as well. */
function listOf(v4: Subnet[], v6: Subnet[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of v4) {
    list.addSubnet(network, prefix, "ipv4");
    for (const carrier of carriers) list.addSubnet(`${carrier}${network}`, 96 + prefix, "ipv6");
  }
  for (const [network, prefix] of v6) list.addSubnet(network, prefix, "ipv6");
  return list;
}
