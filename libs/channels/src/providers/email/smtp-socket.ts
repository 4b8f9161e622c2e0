import { connect, type Socket } from 'node:net';
import { guardedLookup, literalAddress, refusedAddress, type AddressRule } from '../../http/address-guard.js';

type Callback = (error: Error | null, options?: { connection: Socket }) => void;

/** A host is resolved once, and the socket connects to the checked address. TLS still names the host. */
export function guardedSocket(rule: AddressRule, timeoutMs: number) {
  return ({ host = '', port }: { host?: string; port?: number | string }, callback: Callback): void => {
    const literal = literalAddress(host);
    if (literal !== undefined && !rule(literal)) {
      callback(refusedAddress(host, 'SMTP host'));
      return;
    }
    const lookup = guardedLookup(rule, undefined, 'SMTP host');
    const socket = connect({ host, port: Number(port), lookup, autoSelectFamily: true });
    const finish = (error: Error | null): void => {
      socket.removeAllListeners('connect').removeAllListeners('error').removeAllListeners('timeout');
      socket.setTimeout(0);
      if (error === null) {
        callback(null, { connection: socket });
        return;
      }
      socket.on('error', () => undefined).destroy();
      callback(error);
    };
    socket.setTimeout(timeoutMs, () => {
      finish(Object.assign(new Error('Connection timeout'), { code: 'ETIMEDOUT' }));
    });
    socket.once('connect', () => finish(null)).once('error', finish);
  };
}
