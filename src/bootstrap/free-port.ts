import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: one of those could have the port before it is used. */
const FROM = 15_000;
const TO = 32_000;
const TRIES = 100;

/**
 * A port on which nothing listens, for those that must be able to take it again.
 * @throws the fault of the last try, such as an address that this machine does not have
 */
export async function freePort(host: string): Promise<number> {
  const { address } = await lookup(host);
  for (let triesLeft = TRIES - 1; ; triesLeft--) {
    const port = randomInt(FROM, TO);
    const server = createServer();
    try {
      server.listen(port, address);
      await once(server, 'listening');
    } catch (error) {
      if (triesLeft === 0) throw error;
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
