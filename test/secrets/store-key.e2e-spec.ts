import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppConfig } from '#libs/config';
import { StoreKeyError } from '#libs/secrets';
import type { TestApp } from '../harness/index.js';
import { startWorker } from '../../apps/delivery-worker/src/start-worker.js';
import { withStoredKeys } from '../../apps/admin/src/keys/stored-keys.js';
import { clientOf } from '../support/client.js';
import { keyIdOf, SealedStore, sealUnbound } from '../support/sealed-store.js';
import { startTestApi } from '../support/test-api.js';

const [FIRST, SECOND, THIRD] = ['first', 'second', 'third'].map((name) => `${name} key of 32 or more characters`) as [
  string,
  string,
  string,
];

let sealed: SealedStore;
beforeEach(async () => {
  sealed = await SealedStore.open('store_key');
});
afterEach(() => sealed.close());

const start = (key: string, ...old: string[]): Promise<TestApp> =>
  startTestApi({ STORE_ENCRYPTION_KEY: key, STORE_ENCRYPTION_OLD_KEYS: old.join(',') }, sealed.store);
const startAndStop = async (key: string, ...old: string[]): Promise<void> => (await start(key, ...old)).close();

describe('the encryption key of a store', () => {
  it('should be refused by the API, a worker and the key commands where it is another one', async () => {
    await startAndStop(FIRST);
    await expect(start(SECOND)).rejects.toThrow(StoreKeyError);
    const config = AppConfig.from({ LOG_LEVEL: 'silent', STORE_ENCRYPTION_KEY: SECOND, WORKER_PORT: '0' });
    await expect(startWorker(config, sealed.store)).rejects.toThrow(StoreKeyError);
    await expect(withStoredKeys(config, sealed.store, 'Development', (keys) => keys.list())).rejects.toThrow(
      StoreKeyError,
    );
  });

  it('should say in one line which key is missing and what to do', async () => {
    await startAndStop(FIRST);
    const message = await start(SECOND).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).not.toContain('\n');
    expect(message).toContain(`'${keyIdOf(FIRST)}'`);
    expect(message).toContain('STORE_ENCRYPTION_KEY');
    expect(message).toContain('encryption-key');
  });

  it('should open the store again where the right key is set or listed as a former one', async () => {
    await startAndStop(FIRST);
    await expect(start(SECOND)).rejects.toThrow(StoreKeyError);
    await startAndStop(FIRST);
    await startAndStop(SECOND, FIRST);
  });

  it('should be needed together with the key before it until everything is sealed anew', async () => {
    await startAndStop(FIRST);
    await startAndStop(SECOND, FIRST);
    await expect(start(SECOND)).rejects.toThrow(`'${keyIdOf(FIRST)}'`);
    await expect(start(FIRST)).rejects.toThrow(`'${keyIdOf(SECOND)}'`);
    await startAndStop(FIRST, SECOND);
  });

  it('should be one of many that start at once on an empty store', async () => {
    const keys = [FIRST, SECOND, THIRD, `${FIRST} b`, `${SECOND} b`];
    const starts = await Promise.allSettled(keys.map((key) => start(key)));
    const started = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const refused = starts.flatMap((one) => (one.status === 'rejected' ? [one.reason as Error] : []));
    await Promise.all(started.map((api) => api.close()));
    expect(started).toHaveLength(1);
    for (const error of refused) expect(error).toBeInstanceOf(StoreKeyError);
  });

  it('should be one of two that follow the same one at once', async () => {
    await startAndStop(FIRST);
    const starts = await Promise.allSettled([start(SECOND, FIRST), start(THIRD, FIRST)]);
    const started = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    await Promise.all(started.map((api) => api.close()));
    expect(started).toHaveLength(1);
  });

  it('should not be left in DATA_DIR where it was made for nothing', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'herald-store-key-'));
    const file = join(dataDir, 'encryption-key');
    const startHere = (): Promise<TestApp> =>
      startTestApi({ STORE_ENCRYPTION_KEY: '', DATA_DIR: dataDir }, sealed.store);
    await startAndStop(FIRST);
    await expect(startHere()).rejects.toThrow(StoreKeyError);
    expect(existsSync(file)).toBe(false);

    await sealed.connection.dropDatabase();
    await (await startHere()).close();
    const made = readFileSync(file, 'utf8');
    await (await startHere()).close();
    expect(readFileSync(file, 'utf8')).toBe(made);
    rmSync(dataDir, { recursive: true });
  });
});

describe('a store of an earlier version, without a check record', () => {
  const makeOld = async (api: TestApp, key: string): Promise<void> => {
    await api.close();
    const keys = sealed.connection.collection('apiKeys');
    await keys.updateMany({}, { $set: { sealed: sealUnbound('key-of-the-default-environment', key) } });
    await sealed.connection.collection('storeKeys').drop();
  };
  const revealed = (api: TestApp): Promise<unknown> =>
    clientOf({ baseUrl: api.url, apiKey: 'key-of-the-default-environment' }).environments.revealApiKeys();

  it('should be opened with the key of its secrets, and with no other', async () => {
    await makeOld(await start(FIRST), FIRST);
    await expect(start(SECOND)).rejects.toThrow(StoreKeyError);
    expect(await sealed.connection.collection('storeKeys').countDocuments()).toBe(0);

    const api = await start(FIRST);
    expect(await revealed(api)).toMatchObject([{ key: 'key-of-the-default-environment' }]);
    await api.close();
    await expect(start(SECOND)).rejects.toThrow(StoreKeyError);
  });

  it('should keep reading texts that are bound to no place, which a new store refuses', async () => {
    await makeOld(await start(FIRST), FIRST);
    await startAndStop(FIRST);
    const again = await start(FIRST);
    expect(await revealed(again)).toMatchObject([{ key: 'key-of-the-default-environment' }]);
    await again.close();

    await sealed.connection.dropDatabase();
    const fresh = await start(FIRST);
    const keys = sealed.connection.collection('apiKeys');
    await keys.updateMany({}, { $set: { sealed: sealUnbound('key-of-the-default-environment', FIRST) } });
    expect(await revealed(fresh)).toMatchObject([{ key: '' }]);
    await fresh.close();
  });
});
