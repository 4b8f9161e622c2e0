import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral ports: an outgoing connection could take one of those first. */
const FROM = 15_000;
const TO = 32_000;
const TRIES = 100;

/**
 * For ports that must be bound again later.
 * @throws the last fault, such as an address that this machine does not have
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
