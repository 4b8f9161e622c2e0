import { readFileSync } from 'node:fs';
import { AppConfig, ConfigError, settingsSchema } from './app-config.js';

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    AppConfig.from(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
};

describe('AppConfig', () => {
  describe('from', () => {
    it('should need nothing', () => {
      const config = AppConfig.from({});
      expect(config.get('PORT')).toBe(3000);
      expect(config.get('HOST')).toBe('127.0.0.1');
      expect(config.get('DATA_DIR')).toBe('./.data');
      expect(config.get('MONGODB_URI')).toBeUndefined();
      expect(config.get('BODY_LIMIT')).toBe(1_048_576);
      expect(config.get('ALLOW_PRIVATE_URLS')).toBe(false);
    });

    it('should take an empty text as unset', () => {
      const empty = Object.fromEntries(Object.keys(settingsSchema.shape).map((key) => [key, '']));
      expect(AppConfig.from(empty)).toEqual(AppConfig.from({}));
    });

    it('should give a test clock to a process alone', () => {
      expect(AppConfig.from({ TEST_CLOCK: 'on' }).get('TEST_CLOCK')).toBe('on');
      const settings = { MONGODB_URI: 'mongodb://127.0.0.1/herald', DELIVERY_WORKER: 'off' };
      expect(faultsOf(settings)).toEqual([]);
      expect(faultsOf({ ...settings, TEST_CLOCK: 'on' })).toEqual([
        expect.stringMatching(/^TEST_CLOCK: .*Unset MONGODB_URI/),
        expect.stringMatching(/^TEST_CLOCK: .*Set DELIVERY_WORKER to on/),
      ]);
    });

    it('should read the mail server of the operator, and want a sender with it', () => {
      const SYSTEM_MAIL_FROM = 'Herald <herald@a.example>';
      const config = AppConfig.from({ SYSTEM_MAIL_URL: 'smtp://me%40a:p%2Fw@mail.a.example', SYSTEM_MAIL_FROM });
      expect(config.get('SYSTEM_MAIL_URL')).toEqual({
        host: 'mail.a.example',
        port: '587',
        secure: false,
        user: 'me@a',
        password: 'p/w',
      });
      const secure = AppConfig.from({ SYSTEM_MAIL_URL: 'smtps://[::1]', SYSTEM_MAIL_FROM });
      expect(secure.get('SYSTEM_MAIL_URL')).toEqual({ host: '::1', port: '465', secure: true });
      const wrong = [
        'http://a.example',
        'smtp:',
        'smtp://',
        'smtp://a.example/x',
        'smtp://a@b.example',
        'smtp://%zz:a@b',
      ];
      for (const SYSTEM_MAIL_URL of wrong) {
        const faults = faultsOf({ SYSTEM_MAIL_URL, SYSTEM_MAIL_FROM });
        expect([SYSTEM_MAIL_URL, faults]).toEqual([
          SYSTEM_MAIL_URL,
          [expect.stringMatching(/^SYSTEM_MAIL_URL: must be/)],
        ]);
      }
      expect(faultsOf({ SYSTEM_MAIL_URL: 'smtp://a.example' })).toEqual([expect.stringMatching(/^SYSTEM_MAIL_FROM: /)]);
      expect(faultsOf({ SYSTEM_MAIL_FROM })).toEqual([expect.stringMatching(/^SYSTEM_MAIL_FROM: /)]);
      for (const from of ['herald', 'a <b', 'a@b.example, c@d.example', '<a@b>'])
        expect(faultsOf({ SYSTEM_MAIL_URL: 'smtp://a.example', SYSTEM_MAIL_FROM: from })).toHaveLength(1);
    });

    it('should refuse a public address below one of its own paths', () => {
      for (const PUBLIC_URL of ['https://a.example', 'https://a.example/herald/', 'https://a.example/v1s'])
        expect(faultsOf({ PUBLIC_URL })).toEqual([]);
      for (const PUBLIC_URL of [
        'https://a.example/v1',
        'https://a.example/v2/topics',
        'https://a.example//console/x',
        'http://[',
        'https://a.example?b',
      ])
        expect([PUBLIC_URL, faultsOf({ PUBLIC_URL })]).toEqual([
          PUBLIC_URL,
          [expect.stringMatching(/^PUBLIC_URL: must/)],
        ]);
    });

    it('should want what single sign-on needs', () => {
      const google = {
        OIDC_ISSUER: 'https://accounts.google.com',
        OIDC_CLIENT_ID: 'herald',
        PUBLIC_URL: 'https://a.example',
      };
      expect(faultsOf(google)).toEqual([]);
      expect(faultsOf({ OIDC_ISSUER: google.OIDC_ISSUER })).toEqual([
        expect.stringMatching(/^OIDC_CLIENT_ID: /),
        expect.stringMatching(/^PUBLIC_URL: /),
      ]);
      const takingAnybody: Record<string, string>[] = [{ OIDC_DEFAULT_ROLE: 'viewer' }, { OIDC_ROLES: '*=viewer' }];
      for (const takesAnybody of takingAnybody) {
        expect(faultsOf({ ...google, ...takesAnybody })).toEqual([expect.stringMatching(/^OIDC_DOMAINS: /)]);
        expect(faultsOf({ ...google, ...takesAnybody, OIDC_DOMAINS: 'a.example' })).toEqual([]);
      }
      expect(faultsOf({ PASSWORD_SIGN_IN: 'off' })).toEqual([expect.stringMatching(/^PASSWORD_SIGN_IN: /)]);
      const both = { ...google, OIDC_DOMAINS: 'a.example', OIDC_DEFAULT_ROLE: 'viewer', OIDC_ROLES: 'a=owner' };
      expect(faultsOf(both)).toEqual([expect.stringMatching(/^OIDC_DEFAULT_ROLE: /)]);
      expect(AppConfig.from({ OIDC_ROLES: 'cn=a b=owner, c=viewer@My place' }).get('OIDC_ROLES')).toEqual([
        { value: 'cn=a b', role: 'owner', environment: undefined },
        { value: 'c', role: 'viewer', environment: 'My place' },
      ]);
    });

    it('should read lists, sizes and flags', () => {
      const config = AppConfig.from({
        CORS_ORIGINS: 'https://a.example, https://b.example',
        STORE_ENCRYPTION_OLD_KEYS: 'one,two',
        BODY_LIMIT: '500kb',
        ALLOW_PRIVATE_URLS: '1',
        TRUST_PROXY: 'loopback, 10.0.0.0/8,2001:db8::1',
        PROVIDER_BASE_URLS: 'twilio=https://proxy.example/a=b, fcm=http://127.0.0.1:9000',
      });
      expect(config.get('PROVIDER_BASE_URLS')).toEqual({
        twilio: 'https://proxy.example/a=b',
        fcm: 'http://127.0.0.1:9000',
      });
      expect(config.get('CORS_ORIGINS')).toEqual(['https://a.example', 'https://b.example']);
      expect(config.get('STORE_ENCRYPTION_OLD_KEYS')).toEqual(['one', 'two']);
      expect(config.get('TRUST_PROXY')).toEqual(['loopback', '10.0.0.0/8', '2001:db8::1']);
      expect(config.get('BODY_LIMIT')).toBe(512_000);
      expect(config.get('ALLOW_PRIVATE_URLS')).toBe(true);
    });

    it('should say what to write where a number is none', () => {
      expect(faultsOf({ PORT: 'http' })).toEqual(['PORT: must be a whole number from 0 to 65535']);
    });

    it('should list every fault at once, each with its setting', () => {
      const faults = faultsOf({ PORT: '70000', LOG_LEVEL: 'loud', MONGODB_URI: 'http://x', API_KEY: 'short' });
      expect(faults.map((fault) => fault.split(':')[0])).toEqual(['PORT', 'MONGODB_URI', 'API_KEY', 'LOG_LEVEL']);
    });

    it.each([
      ['PORT', '-1'],
      ['PORT', '80.5'],
      ['PORT', 'http'],
      ['API_KEY', 'fifteen-visible'],
      ['API_KEY', 'sixteen or more with blanks'],
      ['STORE_ENCRYPTION_KEY', 'x'.repeat(31)],
      ['REDIS_URL', 'localhost:6379'],
      ['BODY_LIMIT', '1 gigabyte'],
      ['ALLOW_PRIVATE_URLS', 'yes'],
      ['OIDC_ISSUER', 'http://login.example'],
      ['OIDC_ISSUER', 'http://localhost.example'],
      ['OIDC_SCOPES', 'email profile'],
      ['OIDC_ROLES', 'admins=admin'],
      ['HTTP_PLATFORM', 'koa'],
      ['REDIS_URL', 'redis://:pass/word@127.0.0.1:1'],
      ['REDIS_URL', 'redis://:pass%zz@127.0.0.1:1'],
      ['TRUST_PROXY', 'everybody'],
      ['TRUST_PROXY', '10.0.0.0/33'],
      ['TRUST_PROXY', '10.0.0.1/8/8'],
      ['PROVIDER_BASE_URLS', 'twilio'],
      ['PROVIDER_BASE_URLS', 'twilio=ftp://a.example,fcm=http://b.example'],
    ])('should refuse %s=%s', (key, value) => {
      expect(faultsOf({ [key]: value })).toEqual([expect.stringMatching(new RegExp(`^${key}: `))]);
    });

    it('should never repeat a value, which may be a secret', () => {
      expect(faultsOf({ API_KEY: 'my secret key' }).join()).not.toContain('my secret key');
    });

    it.each(['mongodb://u:p@h:1,h2:2/db?replicaSet=rs', 'mongodb+srv://cluster.example/db'])(
      'should take %s',
      (uri) => {
        expect(AppConfig.from({ MONGODB_URI: uri }).get('MONGODB_URI')).toBe(uri);
      },
    );
  });
});

describe('.env.example', () => {
  // `npm run check:static -- env` also compares order, meanings and defaults.
  const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
  const lines = [...example.matchAll(/^(# ?)?([A-Z][A-Z0-9_]*)=(.*)$/gm)];

  it('should have every setting of the schema, in its order', () => {
    expect(lines.map(([, , key]) => key)).toEqual(Object.keys(settingsSchema.shape));
  });

  it('should have values that are valid', () => {
    expect(faultsOf(Object.fromEntries(lines.map(([, , key = '', value = '']) => [key, value])))).toEqual([]);
  });
});
