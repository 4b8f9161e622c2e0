const MAX_HOSTS = 20;
const ANY_SUBDOMAIN = '*.';

/** Faults in the hosts of a secret, each with its path. */
export function hostFaults(value: unknown, path: string): string[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_HOSTS) {
    return [`${path} must be an array of 1 to ${MAX_HOSTS} hosts`];
  }
  return (value as unknown[]).flatMap((host, place) =>
    typeof host === 'string' && normalHost(host) !== undefined
      ? []
      : [`${path}.${place} must be a host such as api.example.com or *.example.com, without scheme, port and path`],
  );
}

/** As URLs have it: in lower case, without Unicode. Undefined for what is no host. */
export function normalHost(text: string): string | undefined {
  const isPattern = text.startsWith(ANY_SUBDOMAIN);
  const name = isPattern ? text.slice(ANY_SUBDOMAIN.length) : text;
  const url = `https://${name}/`;
  if (!URL.canParse(url)) return undefined;
  const { href, hostname } = new URL(url);
  if (href !== `https://${hostname}/` || hostname.includes('*')) return undefined;
  if (!isPattern) return hostname;
  // A pattern for all of `com`, or for an address, would be a mistake.
  return /^[^.[]+(\.[^.]+)*\.[a-z][^.]*$/.test(hostname) ? `${ANY_SUBDOMAIN}${hostname}` : undefined;
}

/** @param hostname of a URL, as its parser writes it */
export function isAmongHosts(hostname: string, hosts: readonly string[]): boolean {
  return hosts.some((host) =>
    host.startsWith(ANY_SUBDOMAIN)
      ? hostname.endsWith(host.slice(1)) && hostname.length >= host.length
      : host === hostname,
  );
}
