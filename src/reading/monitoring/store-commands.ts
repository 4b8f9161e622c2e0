import type { mongo } from 'mongoose';
import { STORE_COMMANDS, STORE_FAULTS } from '#libs/telemetry';

type OfConnection = Pick<mongo.ConnectionCheckedOutEvent, 'address' | 'connectionId'>;

/**
 * Times how long each command holds a connection. Command monitoring of the driver would read every reply twice.
 * @returns a function that stops it
 */
export function measureCommands(client: mongo.MongoClient): () => void {
  const begun = new Map<string, number>();
  const keyOf = ({ address, connectionId }: OfConnection): string => `${address} ${connectionId}`;
  const begin = (event: OfConnection): void => void begun.set(keyOf(event), performance.now());
  const end = (event: OfConnection): void => {
    const key = keyOf(event);
    const startedAt = begun.get(key);
    if (startedAt === undefined) return;
    begun.delete(key);
    STORE_COMMANDS.observeMs({}, performance.now() - startedAt);
  };
  const noteFault = (kind: string) => (): void => STORE_FAULTS.add({ kind });
  const [failed, cleared] = [noteFault('no_connection'), noteFault('connections_dropped')];
  client.on('connectionCheckedOut', begin).on('connectionCheckedIn', end);
  client.on('connectionCheckOutFailed', failed).on('connectionPoolCleared', cleared);
  return () => {
    client.off('connectionCheckedOut', begin).off('connectionCheckedIn', end);
    client.off('connectionCheckOutFailed', failed).off('connectionPoolCleared', cleared);
  };
}
