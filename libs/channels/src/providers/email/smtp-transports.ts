import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Transporter } from 'nodemailer';
import type { SMTPPoolOptions, SMTPPoolSentMessageInfo } from 'nodemailer/lib/smtp-pool';

type Pool = Transporter<SMTPPoolSentMessageInfo, SMTPPoolOptions>;

const MAX_POOLS = 100;
const IDLE_POOL_MS = 60_000;
const TLS_KEYS: ReadonlySet<string> = new Set([
  'rejectUnauthorized',
  'servername',
  'minVersion',
  'maxVersion',
  'ciphers',
  'ca',
  'cert',
  'key',
  'passphrase',
]);

type Credentials = Readonly<Record<string, unknown>>;

function text(credentials: Credentials, key: string): string | undefined {
  const value = credentials[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Only what describes the TLS session: options such as `path` or `host` would lead the connection elsewhere. */
function tlsOptions(value: unknown): SMTPPoolOptions['tls'] {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([key]) => TLS_KEYS.has(key)));
}

function dkim(credentials: Credentials): SMTPPoolOptions['dkim'] {
  const domainName = text(credentials, 'domain');
  const privateKey = text(credentials, 'secretKey');
  const keySelector = text(credentials, 'accountSid');
  return domainName && privateKey && keySelector ? { domainName, privateKey, keySelector } : undefined;
}

/** The transport options that the credentials of M 4.9 describe. */
export function smtpOptions(credentials: Credentials): SMTPPoolOptions {
  const user = text(credentials, 'user');
  const signing = dkim(credentials);
  const tls = tlsOptions(credentials['tlsOptions']);
  return {
    host: text(credentials, 'host'),
    port: Number(credentials['port']),
    secure: credentials['secure'] === true,
    requireTLS: credentials['requireTls'] === true,
    ignoreTLS: credentials['ignoreTls'] === true,
    ...(user === undefined ? {} : { auth: { user, pass: text(credentials, 'password') ?? '' } }),
    ...(signing === undefined ? {} : { dkim: signing }),
    ...(tls === undefined ? {} : { tls }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Connections to one server with the same credentials. */
export const MAX_CONNECTIONS = 10;

/** Pooled connections, one pool per set of credentials; pools that nobody uses for a minute are closed. */
export class SmtpTransports {
  private readonly pools = new LRUCache<string, Pool>({
    max: MAX_POOLS,
    ttl: IDLE_POOL_MS,
    updateAgeOnGet: true,
    ttlAutopurge: true,
    dispose: (pool) => pool.close(),
  });

  async pool(credentials: Credentials): Promise<Pool> {
    const { createTransport } = await import('nodemailer');
    const key = createHash('sha256')
      .update(JSON.stringify(smtpOptions(credentials)))
      .digest('base64');
    const known = this.pools.get(key);
    if (known) return known;
    const pool = createTransport({
      ...smtpOptions(credentials),
      pool: true,
      maxConnections: MAX_CONNECTIONS,
      maxMessages: 500,
      maxRequeues: 1,
      idleTimeout: IDLE_POOL_MS / 2,
    });
    this.pools.set(key, pool);
    return pool;
  }

  /** A connection of its own, to be closed by the caller. */
  async single(credentials: Credentials): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport(smtpOptions(credentials));
  }

  close(): void {
    this.pools.clear();
  }
}
