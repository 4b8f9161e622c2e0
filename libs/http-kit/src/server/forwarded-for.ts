import type { IncomingMessage, Server } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { AppLogger } from '../logging/app-logger.js';

const HEADER = 'x-forwarded-for';
const PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/**
 * What a proxy has written to X-Forwarded-For, without ports. What is no address hides everybody left of it, who could have written
 * anything: from there on, the address of the connection counts.
 */
export function forwardedAddresses(header: string): string {
  const entries = header.split(',').map(addressIn);
  return entries.slice(entries.lastIndexOf(undefined) + 1).join(', ');
}

function addressIn(entry: string): string | undefined {
  const written = entry.trim();
  const [, bracketed, dotted] = PORT.exec(written) ?? [];
  const address = bracketed ?? dotted ?? written;
  return ipaddr.isValid(address) && !/^\d+$/.test(address) ? address : undefined;
}

/** Before anybody asks a request for its address, so that limits by network, records and sockets see the same one. */
export function readForwardedFor(server: Server, hasProxies: boolean, logger: AppLogger): void {
  let isWarned = false;
  const read = ({ headers }: IncomingMessage): void => {
    const given = headers[HEADER];
    if (given === undefined) return;
    headers[HEADER] = forwardedAddresses(String(given));
    if (hasProxies || isWarned) return;
    isWarned = true;
    logger.event(
      'warn',
      'X-Forwarded-For is ignored, because TRUST_PROXY is not set: all callers behind a proxy share the limits of its address. If there is a proxy, name it in TRUST_PROXY',
    );
  };
  server.prependListener('request', read).prependListener('upgrade', read);
}
