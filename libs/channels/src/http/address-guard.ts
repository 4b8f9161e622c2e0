import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ProviderError } from '../errors/provider-error.js';

const UNSPECIFIED = '0.0.0.0';

export type AddressRule = (address: string, host?: string) => boolean;

/** Public range, but served within a cloud's network (the wire server of Azure hosts). */
const CLOUD_INTERNAL = new Set(['168.63.129.16']);
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !CLOUD_INTERNAL.has(address.toString());
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  // On networks without IPv4, public IPv4 hosts resolve to this prefix, and the embedded address decides.
  if (address.match(NAT64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
}

/**
 * False for loopback, link-local, private, shared, multicast, reserved and unspecified ranges, and for IPv6 that embeds
 * IPv4 (mapped, 6to4, Teredo).
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv6 ? isPublicIpv6(parsed) : isPublicIpv4(parsed);
}

export interface AddressRuleOptions {
  allowPrivateUrls: boolean;
  privateHosts?: readonly string[];
  isAllowedAddress?: AddressRule;
}

function canonical(host: string): string {
  const bare = host.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  return ipaddr.isValid(bare) ? ipaddr.parse(bare).toNormalizedString() : bare;
}

/** For addresses of users; undefined if all are allowed. */
export function addressRule({
  allowPrivateUrls,
  privateHosts = [],
  isAllowedAddress = isPublicAddress,
}: AddressRuleOptions): AddressRule | undefined {
  if (allowPrivateUrls) return undefined;
  const listed = new Set(privateHosts.map(canonical));
  return (address, host) =>
    isAllowedAddress(address, host) ||
    listed.has(canonical(address)) ||
    (host !== undefined && listed.has(canonical(host)));
}

/** Equal for private and missing names: otherwise a caller could probe the names of an internal network. */
function refusedName(host: string, subject = 'URL'): ProviderError {
  return new ProviderError(
    `The ${subject} leads to '${host}', which is unknown or not a public address. Use a public one, add the host to PRIVATE_HOSTS, or set ALLOW_PRIVATE_URLS=1 if this network is trusted.`,
    // The name may become known later.
    { code: 'url_not_allowed', retryable: true },
  );
}

export function refusedAddress(host: string, subject = 'URL'): ProviderError {
  return new ProviderError(
    `The ${subject} leads to '${host}', which is not a public address. Use a public one, add the host to PRIVATE_HOSTS, or set ALLOW_PRIVATE_URLS=1 if this network is trusted.`,
    { code: 'url_not_allowed', retryable: false },
  );
}

/** Without brackets; undefined for a name. */
export function literalAddress(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
}

/**
 * The socket connects to the checked address, so later changes of the name have no effect. One forbidden address
 * rejects the name.
 */
export function guardedLookup(
  isAllowed: AddressRule,
  lookup: LookupFunction = dnsLookup,
  subject?: string,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) {
        // The operator has listed this host, so its fault may be shown.
        const isSecret = error.code === 'ENOTFOUND' && !isAllowed(UNSPECIFIED, hostname);
        return callback(isSecret ? refusedName(hostname, subject) : error, []);
      }
      const addresses: LookupAddress[] = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const first = addresses[0];
      if (!first || !addresses.every(({ address }) => isAllowed(address, hostname)))
        return callback(refusedName(hostname, subject), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
