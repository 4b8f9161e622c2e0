/** Settings of all tests. */
export const TEST_SETTINGS = {
  LOG_LEVEL: 'silent',
  STORE_ENCRYPTION_KEY: 'a key for tests only, of 32 or more characters',
  SESSION_SECRET: 'a session secret for tests only, of 32 or more characters',
  API_KEY: 'key-of-the-default-environment',
  ALLOW_PRIVATE_URLS: '1',
  PASSWORD_HASH_COST: '10',
};
