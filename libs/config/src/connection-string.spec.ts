import { AppConfig, ConfigError } from './app-config.js';

const faultsOf = (settings: Record<string, string>): readonly string[] => {
  try {
    AppConfig.from(settings);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

describe('a connection string', () => {
  it.each([
    'mongodb://127.0.0.1/herald',
    'mongodb://user:p%40ss%2Fw@127.0.0.1:27017/herald?authSource=admin',
    'mongodb+srv://user:pass@cluster0.abc.mongodb.net/?retryWrites=true&w=majority',
    'mongodb://a:1,b:2,[::1]:3/herald?replicaSet=rs0',
    'mongodb://%2Ftmp%2Fmongodb-27017.sock/herald',
    'mongodb://user@my_host/herald',
    'mongodb://user:pass@host/?authMechanismProperties=SERVICE_NAME:a@b',
    'mongodb://mongo:27017',
  ])('should be taken as it is: %s', (MONGODB_URI) => {
    expect(faultsOf({ MONGODB_URI })).toEqual([]);
  });

  it.each([
    'first@SECRET',
    'first/SECRET',
    '12/SECRET',
    'first?SECRET',
    '12?SECRET',
    'first#SECRET',
    'a:SECRET',
    '%SECRET',
    '[SECRET',
  ])('should be refused, and not shown, if its password %s is not percent-encoded', (password) => {
    const [fault, ...more] = faultsOf({ MONGODB_URI: `mongodb://user:${password}@127.0.0.1:1/db` });
    expect(fault).toMatch(/^MONGODB_URI: must be like .*percent-encode/);
    expect(`${fault}${more.join('')}`).not.toMatch(/SECRET|first/);
    const redis = faultsOf({ REDIS_URL: `redis://user:${password}@127.0.0.1:1` });
    expect(redis.join('')).not.toMatch(/SECRET|first/);
  });

  it.each(['12/SECRET', '12?SECRET', '12#SECRET'])('of Redis should be refused too: %s', (password) => {
    expect(faultsOf({ REDIS_URL: `redis://user:${password}@127.0.0.1:1` })).toEqual([
      expect.stringContaining('REDIS_URL: must be a URL; percent-encode'),
    ]);
  });
});
