import { mongo } from 'mongoose';

/** Stops the Heralds and the store of the run; one that stays loses the databases of the run. */
export default async function globalTeardown() {
  const store = globalThis.heraldTestStore;
  await globalThis.heraldTestSupply?.stop();
  if (store?.stays === true) await dropDatabases(store.uri, process.env['HERALD_TEST_RUN']);
  await store?.stop();
}

async function dropDatabases(uri, prefix) {
  const client = await new mongo.MongoClient(uri).connect();
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    const own = databases.filter(({ name }) => name.startsWith(prefix));
    await Promise.all(own.map(({ name }) => client.db(name).dropDatabase()));
  } finally {
    await client.close();
  }
}
