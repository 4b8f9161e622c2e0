import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { TestApp } from '../harness/index.js';

/**
 * The commands that an application sends to its store while `act` runs. The application needs a store with `monitorCommands`.
 * @returns the name and the collection of each, such as `find messages`
 */
export async function commandsOf(api: TestApp, act: () => PromiseLike<unknown>): Promise<string[]> {
  const commands: string[] = [];
  const note = ({ commandName, command }: { commandName: string; command: Record<string, unknown> }): void => {
    // The command that reads on names its cursor first.
    commands.push(`${commandName} ${String(command['collection'] ?? command[commandName])}`);
  };
  const client = api.app.get<Connection>(getConnectionToken()).getClient();
  client.on('commandStarted', note);
  try {
    await act();
  } finally {
    client.off('commandStarted', note);
  }
  return commands;
}

/** The fewest commands of some attempts: caches are empty in the first one, and can expire before any of them. */
export async function fewestCommands(
  api: TestApp,
  act: (attempt: number) => PromiseLike<unknown>,
  attempts = 5,
): Promise<string[]> {
  let fewest: string[] | undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const commands = await commandsOf(api, () => act(attempt));
    if (fewest === undefined || commands.length < fewest.length) fewest = commands;
  }
  return fewest ?? [];
}
