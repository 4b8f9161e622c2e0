import { connectToStore, databaseOf, describeUri, StoreUnreachableError } from '#libs/persistence';
import { HeraldClient } from '../../files/herald-client.js';
import { CommandError } from '../../run-command.js';
import { ApiCalls } from './api-calls.js';
import { ApiSource } from './api-source.js';
import { MongoSource } from './mongo-source.js';
import type { NovuSource } from './novu-source.js';

const CONNECT_WITHIN_MS = 10_000;
/** An API with limits says how long to wait. */
const RETRIES = 8;
const MAX_PAUSE_MS = 600_000;

interface OpenSource {
  readonly source: NovuSource;
  close(): Promise<void>;
}

/** @param apiKey for the URL of an API @throws {CommandError} */
export async function openSource(from: string, apiKey: string | undefined): Promise<OpenSource> {
  if (apiKey !== undefined) {
    const { origin, pathname } = new URL(from);
    const url = `${origin}${pathname.replace(/\/$/, '').replace(/\/v\d$/, '')}`;
    const calls = new ApiCalls(new HeraldClient({ url, key: apiKey }, RETRIES, MAX_PAUSE_MS));
    return { source: await ApiSource.open(calls, url, apiKey), close: () => Promise.resolve() };
  }
  const description = `MongoDB at ${describeUri(from)}`;
  // It is the database of others, of which the import only reads.
  const { connection, contents } = await connectToStore(
    { uri: from, description },
    { serverSelectionTimeoutMS: CONNECT_WITHIN_MS },
    true,
  ).catch((error: unknown) => {
    throw new StoreUnreachableError(description, error);
  });
  const close = (): Promise<void> => connection.destroy();
  const db = databaseOf(connection);
  for (const name of ['notificationtemplates', 'subscribers']) {
    const isNovu = (await db.collection(name).findOne({})) !== null && contents.owner === 'others';
    if (isNovu) return { source: new MongoSource(db, description), close };
  }
  await close();
  throw new CommandError(
    `The database at ${describeUri(from)} has no workflows and no subscribers of Novu. Name its database in --from.`,
  );
}
