import { isIP } from 'node:net';
import { z } from 'zod';
import { isConnectionString, WRONG_CONNECTION_STRING } from './connection-string.js';
import { faultsOfMail, mailSender, type MailServer, mailServer } from './mail-server.js';
import { byteSize, flag, list, optionalText, optionalWhole, whole } from './setting-kinds.js';
import { faultsOfSignIn, ISSUER, type MappedRole, mappedRoleOf, ROLES } from './sign-in-settings.js';

const BASE_URL_PAIR = /^([a-z0-9-]+)=(https?:\/\/[^\s?#]+)$/;

/** What Herald serves itself. */
const OWN_PATH =
  /^https?:\/\/[^/]*\/+(?:v1|v2|api|api-json|api-yaml|openapi\.json|console|docs|images|inbox|inbox-demo|socket\.io|answer|sign-in|unsubscribe|preferences|open|click|mcp|metrics|schemas)(?:\/|$)/i;

/** A name or an address, IPv6 with or without brackets. */
const HELLO_NAME = /^(?=.{4,253}$)[a-z0-9](?:[a-z0-9-]{0,62}\.)+[a-z0-9-]*[a-z0-9]$/i;
const PRIVATE_HOST = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\]|(?=[^:]*:)[0-9a-f:.]+)$/i;

function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits, more] = text.split('/');
  const longest = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) !== 0 &&
    more === undefined &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest))
  );
}

/** `id=url` pairs, comma separated, as a record. */
const baseUrls = list
  .refine(
    (pairs) => pairs.every((pair) => BASE_URL_PAIR.test(pair)),
    'must be pairs such as twilio=https://proxy.example',
  )
  .transform((pairs): Readonly<Record<string, string>> => {
    const entries = pairs.map((pair) => BASE_URL_PAIR.exec(pair)).map((match) => [match?.[1] ?? '', match?.[2] ?? '']);
    return Object.fromEntries(entries) as Record<string, string>;
  });

/** Every setting of Herald, in the order of `.env.example` (a test compares the two). */
export const settingsSchema = z.object({
  /** TCP port of the API. 0 lets the system choose one. */
  PORT: whole(3000, 0, 65535),
  /** Address that the API listens on. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /**
   * Address under which providers and recipients reach this API, such as https://herald.example.com; providers that sign
   * the URL need it to be exact. Without it, messages have no links for unsubscribing, and their opens and clicks are not followed.
   */
  PUBLIC_URL: optionalText.pipe(
    z
      .string()
      .regex(/^https?:\/\/[^\s?#]+$/, 'must be an http or https URL without query')
      .refine((url) => URL.canParse(url), 'must be a URL')
      .refine(
        (url) => !OWN_PATH.test(url),
        'must not have a path that begins with one of Herald, such as /v1 or /console',
      )
      .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
      .optional(),
  ),
  /** Directory for the embedded store and for generated keys. */
  DATA_DIR: z.string().min(1).default('./.data'),
  /** MongoDB connection string. Without it the embedded store in DATA_DIR is used. */
  MONGODB_URI: optionalText.pipe(
    z
      .string()
      .regex(/^mongodb(\+srv)?:\/\//, { error: 'must begin with mongodb:// or mongodb+srv://', abort: true })
      .refine(isConnectionString, WRONG_CONNECTION_STRING)
      .optional(),
  ),
  /** Lets a new store begin in a MongoDB database that has collections of another application. */
  ALLOW_SHARED_DATABASE: flag,
  /** Redis connection string; it carries announcements between processes and never holds work. */
  REDIS_URL: optionalText.pipe(
    z
      .string()
      .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
      .refine(isReadable, 'must be a URL; percent-encode the signs of its password that are neither letters nor digits')
      .optional(),
  ),
  /** API key of the default environment; generated at the first start when unset. */
  API_KEY: optionalText.pipe(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,}$/, 'must be 16 or more visible characters without blanks')
      .optional(),
  ),
  /** Secret that credentials are encrypted with; generated into DATA_DIR when unset. */
  STORE_ENCRYPTION_KEY: optionalText.pipe(z.string().min(32, 'must have 32 or more characters').optional()),
  /** Former encryption secrets, comma separated, still accepted for reading. */
  STORE_ENCRYPTION_OLD_KEYS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((part) => part.length > 0)),
  /** Secret that session tokens of subscribers are signed with; generated into DATA_DIR when unset. */
  SESSION_SECRET: optionalText.pipe(z.string().min(32, 'must have 32 or more characters').optional()),
  /** Former session secrets, comma separated, whose tokens are accepted until they expire. */
  SESSION_OLD_SECRETS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((part) => part.length > 0)),
  /** Days for which the session token of a subscriber is valid. */
  SESSION_DAYS: whole(15, 1, 365),
  /** Sessions of subscribers that one address may create per minute; 0 sets no limit. */
  SESSION_LIMIT_PER_ADDRESS: whole(600, 0, 1_000_000),
  /** Cost of password hashes of people, as a power of two: with 15, one takes 32 MB and about 0.2 s of a processor. */
  PASSWORD_HASH_COST: whole(15, 10, 20),
  /** Hours for which people stay signed in to the console. */
  USER_SESSION_HOURS: whole(168, 1, 8_760),
  /** Whether people sign in to the console with a password: `on`, or `off` for single sign-on alone, which needs OIDC_ISSUER. */
  PASSWORD_SIGN_IN: z.enum(['on', 'off']).default('on'),
  /** Whom the codes of an authenticator app are demanded of when they sign in with a password: `off`, `owners` or `all`. */
  REQUIRE_TOTP: z.enum(['off', 'owners', 'all']).default('off'),
  /**
   * SMTP server for Herald's own mails to people of the console (invitations, links for new passwords): `smtp://user:password@host:587`, which
   * takes STARTTLS where the server offers it, or `smtps://`. It may be in a private network. Needs SYSTEM_MAIL_FROM.
   */
  SYSTEM_MAIL_URL: mailServer satisfies z.ZodType<MailServer | undefined>,
  /** Sender of those mails: an address, or a name with an address in angle brackets. */
  SYSTEM_MAIL_FROM: mailSender,
  /**
   * Address of the OpenID Connect provider with which people sign in to the console; http only on this machine. Needs OIDC_CLIENT_ID
   * and PUBLIC_URL.
   */
  OIDC_ISSUER: optionalText.pipe(
    z.string().regex(ISSUER, 'must be an https URL without query; http only for localhost').optional(),
  ),
  /** Id under which the provider knows Herald. */
  OIDC_CLIENT_ID: optionalText,
  /** Secret of that client; a public client has none. */
  OIDC_CLIENT_SECRET: optionalText,
  /** What the button of the console calls the provider. */
  OIDC_NAME: z.string().trim().min(1).max(60).default('single sign-on'),
  /** Scopes that are asked for, separated by blanks. */
  OIDC_SCOPES: z
    .string()
    .refine((scopes) => scopes.split(' ').includes('openid'), 'must contain openid')
    .default('openid email profile'),
  /** Takes an address for verified if the provider does not say whether it is; one that it calls unverified is refused in any case. */
  OIDC_TRUST_EMAIL: flag,
  /** Domains of addresses that may sign in with the provider, comma separated; empty for all. */
  OIDC_DOMAINS: list.transform((domains) => domains.map((domain) => domain.toLowerCase())),
  /** Role in all environments for people whom nobody has invited. Unset: only those who were invited sign in. */
  OIDC_DEFAULT_ROLE: z.enum(ROLES).optional(),
  /** Claim of the provider that decides roles: its name, or a path such as resource_access.herald.roles. */
  OIDC_ROLE_CLAIM: z.string().trim().min(1).default('groups'),
  /**
   * Roles by values of that claim, comma separated: `value=role`, or `value=role@environment`; `*` for everybody. If set, the provider
   * decides the roles of all who sign in with it.
   */
  OIDC_ROLES: list
    .refine(
      (pairs) => pairs.every((pair) => mappedRoleOf(pair) !== undefined),
      'must be pairs such as herald-admins=owner,support=viewer@Production, with the roles viewer, editor and owner',
    )
    .transform((pairs): readonly MappedRole[] => pairs.flatMap((pair) => mappedRoleOf(pair) ?? [])),
  /** Whether browsers of subscribers can connect, by socket or stream, to get their messages as they are stored. */
  REAL_TIME: z.enum(['on', 'off']).default('on'),
  /** Connections that one subscriber may have to a process. */
  REAL_TIME_PER_SUBSCRIBER: whole(50, 1, 10_000),
  /** Connections of subscribers that one address may have to a process; 0 sets no limit. */
  REAL_TIME_PER_ADDRESS: whole(5_000, 0, 1_000_000),
  /** Hours for which subscribers may snooze a message; 0 switches snoozing off. */
  SNOOZE_MAX_HOURS: whole(2_160, 0, 87_600),
  /** Whether the documentation is served at `/docs`, and errors name their place in it. */
  DOCS_ENABLED: z.enum(['on', 'off']).default('on'),
  /** Whether the console is served at `/console`: `on`, or `off`. */
  CONSOLE_ENABLED: z.enum(['on', 'off']).default('on'),
  /** Whether the page `/inbox-demo` is served, which shows the published bell and Inbox: `on`, or `off` as in the container. */
  INBOX_DEMO: z.enum(['on', 'off']).default('on'),
  /** Masks stored secrets, such as credentials of integrations, for all keys; otherwise keys with the scope `admin` see them. */
  MASK_CREDENTIALS: flag,
  /** Least severe level that is logged. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Port on which this process serves metrics for Prometheus; 0 lets the system choose one. */
  METRICS_PORT: optionalWhole(0, 65535),
  /** Bearer token that metrics need. Without METRICS_PORT, the API serves them at /metrics on PORT. */
  METRICS_TOKEN: optionalText.pipe(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,}$/, 'must be 16 or more visible characters without blanks')
      .optional(),
  ),
  /** Exports traces (`otlp`) or not (`none`); when unset, they are exported if OTEL_EXPORTER_OTLP_ENDPOINT is set. */
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).optional(),
  /** URL of the OpenTelemetry collector that traces are sent to. */
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalText.pipe(
    z
      .string()
      .regex(/^https?:\/\//, 'must begin with http:// or https://')
      .optional(),
  ),
  /** Name of this service in traces. */
  OTEL_SERVICE_NAME: z.string().min(1).default('herald'),
  /** Milliseconds after SIGTERM during which the health check answers 503 while requests are still accepted. */
  SHUTDOWN_DRAIN_MS: whole(0, 0, 600_000),
  /** Largest request body of ordinary routes. */
  BODY_LIMIT: byteSize('1mb'),
  /** Largest request body under /v1/events, /v1/workflows, /v1/notification-templates and /v1/layouts. */
  BODY_LIMIT_LARGE: byteSize('20mb'),
  /** Refuses unknown body fields and query parameters, which are otherwise ignored with a warning header. */
  STRICT_INPUT: flag,
  /** Bytes of request bodies, uncompressed, that are held at any time; one environment gets at most half of them. */
  BODY_BUDGET: byteSize('64mb'),
  /** Milliseconds within which the headers of a request must arrive. */
  HEADERS_TIMEOUT_MS: whole(10_000, 100, 600_000),
  /** Milliseconds within which a request must arrive with its body. */
  REQUEST_TIMEOUT_MS: whole(60_000, 100, 3_600_000),
  /** Maximum number of open connections; further ones are closed. */
  MAX_CONNECTIONS: whole(10_000, 1, 1_000_000),
  /**
   * Maximum number of open connections from one address; 0 sets no limit. Behind a proxy all have the address of the
   * proxy.
   */
  MAX_CONNECTIONS_PER_ADDRESS: whole(0, 0, 1_000_000),
  /** The HTTP platform under Nest: `fastify`, or `express`, which takes more processor time for each request. */
  HTTP_PLATFORM: z.enum(['fastify', 'express']).default('fastify'),
  /** Proxies whose X-Forwarded-* headers are trusted: addresses, networks, or loopback, linklocal, uniquelocal. */
  TRUST_PROXY: list.refine(
    (proxies) => proxies.every(isProxy),
    'must be addresses, networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
  ),
  /** Origins that browsers may call from, comma separated; `*` for any. Empty: none. */
  CORS_ORIGINS: list,
  /** Allows user-given URLs and SMTP hosts to reach loopback and private addresses. */
  ALLOW_PRIVATE_URLS: flag,
  /** Host names and addresses that user-given URLs and SMTP hosts may reach although they are private. */
  PRIVATE_HOSTS: list.refine(
    (hosts) => hosts.every((host) => PRIVATE_HOST.test(host)),
    'must be host names or addresses without scheme, port and path, such as mail.internal,10.0.0.5',
  ),
  /** Name with which Herald greets SMTP servers (EHLO), such as that of its address in the DNS; by default the domain of the sender. */
  SMTP_HELLO_NAME: optionalText.pipe(
    z.string().regex(HELLO_NAME, 'must be a host name with its domain, such as mail.example.com').optional(),
  ),
  /**
   * Also signs condition webhook requests with the header nv-hmac-256 of the compatible system, which is the same for
   * all of them.
   */
  LEGACY_HMAC_HEADER: flag,
  /**
   * Base URLs to use instead of the providers' own, as `id=url` pairs, comma separated: proxies, gateways, test
   * servers.
   */
  PROVIDER_BASE_URLS: baseUrls,
  /**
   * Plugins to load: names of packages, or paths of folders or files, comma separated. They run with all rights of
   * Herald.
   */
  HERALD_PLUGINS: list,
  /** Days that notifications, their details and messages other than in-app ones are kept; 0 keeps them indefinitely. */
  RETENTION_DAYS: whole(30, 0, 36_500),
  /** Days that in-app messages are kept; 0 keeps them indefinitely. */
  RETENTION_DAYS_IN_APP: whole(365, 0, 36_500),
  /**
   * Days that the anonymous trail of deleted subscribers is kept: which notifications had which outcome, without ids,
   * addresses and contents; 0 removes it with them.
   */
  ERASED_TRAIL_DAYS: whole(30, 0, 36_500),
  /** Days that entries of the audit log are kept; 0 keeps them indefinitely. */
  AUDIT_RETENTION_DAYS: whole(365, 0, 36_500),
  /**
   * Whether the audit log also has what API keys create and change of subscribers, their preferences, devices and topics: on or off. Deletions, and
   * what people change in the console, are always in it.
   */
  AUDIT_TRAFFIC: z.enum(['on', 'off']).default('off'),
  /** Number of former versions that are kept of each workflow; 0 keeps none. */
  WORKFLOW_VERSIONS: whole(100, 0, 10_000),
  /** Whether this process delivers (`on`) or only accepts triggers and leaves delivery to workers (`off`). */
  DELIVERY_WORKER: z.enum(['on', 'off']).default('on'),
  /**
   * Whether this is a Herald for tests, whose time POST /v1/testing/clock puts forward: on or off. It needs the embedded store and
   * one process.
   */
  TEST_CLOCK: z.enum(['on', 'off']).default('off'),
  /** Port on which a separate delivery worker serves its health check; 0 lets the system choose one. */
  WORKER_PORT: whole(3001, 0, 65535),
  /** Concurrent provider calls per channel; one environment gets at most half of them. */
  DELIVERY_CONCURRENCY: whole(100, 1, 10_000),
  /** Milliseconds after which another worker takes over the work of a worker that died. */
  DELIVERY_LEASE_MS: whole(10_000, 1_000, 600_000),
  /** Number of workers lost over work, three of them over this work alone, before it is set aside as failed. */
  DELIVERY_MAX_CLAIMS: whole(5, 1, 100),
  /** Milliseconds between polls for due work that was not announced by a signal. */
  DELIVERY_POLL_MS: whole(1_000, 50, 60_000),
  /** Timeout for a provider call in milliseconds. */
  DELIVERY_TIMEOUT_MS: whole(15_000, 100, 600_000),
  /** Attempts at one integration before the next one is tried. */
  DELIVERY_MAX_ATTEMPTS: whole(6, 1, 100),
  /** Longest wait before the second attempt in milliseconds; it doubles with each further attempt. */
  DELIVERY_RETRY_BASE_MS: whole(1_000, 1, 3_600_000),
  /** Maximum wait between attempts in milliseconds. */
  DELIVERY_RETRY_MAX_MS: whole(60_000, 1, 86_400_000),
  /** Different messages in a row that find a provider down before its integration is left alone; 0: never. */
  DELIVERY_BREAKER_FAILURES: whole(5, 0, 10_000),
  /** How long it is left alone in milliseconds before one message tries it; doubled after each failed try, up to five minutes. */
  DELIVERY_BREAKER_OPEN_MS: whole(30_000, 100, 3_600_000),
  /** Threads that render messages that could take long; started when they are needed. */
  RENDER_WORKERS: whole(2, 1, 64),
  /** Time limit for rendering one message in milliseconds; beyond it, the step fails. */
  RENDER_TIMEOUT_MS: whole(5_000, 100, 60_000),
  /** Concurrent calls of webhook endpoints; one endpoint gets at most a fifth of them. */
  WEBHOOK_CONCURRENCY: whole(50, 1, 10_000),
  /** Timeout for a call of a webhook endpoint in milliseconds. */
  WEBHOOK_TIMEOUT_MS: whole(10_000, 100, 60_000),
  /** Attempts at a webhook delivery before it fails permanently. */
  WEBHOOK_MAX_ATTEMPTS: whole(12, 1, 100),
  /**
   * Longest wait before the second attempt at a webhook delivery in milliseconds; it doubles with each further attempt.
   */
  WEBHOOK_RETRY_BASE_MS: whole(15_000, 1, 3_600_000),
  /** Maximum wait between attempts at a webhook delivery in milliseconds. */
  WEBHOOK_RETRY_MAX_MS: whole(14_400_000, 1, 86_400_000),
  /** Limits how often an environment may call the API. */
  RATE_LIMIT: flag,
  /** Calls per second of an environment under /v1/events; a bulk call or a broadcast counts as 100 calls. */
  RATE_LIMIT_TRIGGER: whole(6000, 1, 1_000_000),
  /** Calls per second of an environment under /v1/subscribers, /v1/topics, /v1/tenants, /v2/subscribers and /v2/topics. */
  RATE_LIMIT_CONFIGURATION: whole(2000, 1, 1_000_000),
  /** Calls per second of an environment to all other routes. */
  RATE_LIMIT_GLOBAL: whole(3000, 1, 1_000_000),
  /** Calls per second of each subscriber with a session token, in each process. */
  RATE_LIMIT_SUBSCRIBER: whole(20, 1, 1_000_000),
});

/** The validated settings, one typed object. Injected by class; created only by {@link loadConfig}. */
export class AppConfig {
  private constructor(private readonly values: z.output<typeof settingsSchema>) {}

  /**
   * Reads settings from a plain record of strings. An empty text counts as unset, as compose files and shells produce
   * it.
   * @throws {ConfigError} that lists every fault
   */
  static from(env: Record<string, string | undefined>): AppConfig {
    const known = Object.fromEntries(Object.keys(settingsSchema.shape).map((key) => [key, env[key] || undefined]));
    const parsed = settingsSchema.safeParse(known);
    if (!parsed.success) {
      throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
    }
    const faults = faultsTogether(parsed.data);
    if (faults.length > 0) throw new ConfigError(faults);
    return new AppConfig(parsed.data);
  }

  /** The value of one setting. */
  get<K extends keyof z.output<typeof settingsSchema>>(key: K): z.output<typeof settingsSchema>[K] {
    return this.values[key];
  }
}

type Values = z.output<typeof settingsSchema>;

/** Settings that need or exclude each other. */
function faultsTogether(values: Values): string[] {
  return [...faultsOfClock(values), ...faultsOfSignIn(values), ...faultsOfMail(values)];
}

function isReadable(url: string): boolean {
  try {
    const { password, pathname, search, hash } = new URL(url);
    decodeURIComponent(password);
    // What should have been encoded has ended the host before the password was over.
    return !`${pathname}${search}${hash}`.includes('@');
  } catch {
    return false;
  }
}

function faultsOfClock({ TEST_CLOCK, MONGODB_URI, DELIVERY_WORKER }: Values): string[] {
  if (TEST_CLOCK === 'off') return [];
  const reason = 'a Herald with a test clock has a time of its own, which other processes do not know';
  return [
    ...(MONGODB_URI === undefined ? [] : [`TEST_CLOCK: ${reason}. Unset MONGODB_URI.`]),
    ...(DELIVERY_WORKER === 'off' ? ['TEST_CLOCK: nothing would become due. Set DELIVERY_WORKER to on.'] : []),
  ];
}

/** The settings are wrong; `faults` has one line for each. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`Settings are not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}
