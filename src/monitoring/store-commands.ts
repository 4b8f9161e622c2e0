import type { mongo } from 'mongoose';
import { STORE_COMMANDS } from '#libs/telemetry';

type Ended = mongo.CommandSucceededEvent | mongo.CommandFailedEvent;

/** Measures the commands of a driver that publishes them. @returns a function that stops it */
export function measureCommands(client: mongo.MongoClient): () => void {
  const observe =
    (outcome: string) =>
    ({ commandName, duration }: Ended): void =>
      STORE_COMMANDS.observeMs({ command: commandName, outcome }, duration);
  const [succeeded, failed] = [observe('ok'), observe('failed')];
  client.on('commandSucceeded', succeeded).on('commandFailed', failed);
  return () => void client.off('commandSucceeded', succeeded).off('commandFailed', failed);
}
