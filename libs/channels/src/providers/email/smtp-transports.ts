import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { LRUCache } from 'lru-cache';
import type { SendMailOptions, Transporter } from 'nodemailer';
import type { PluginFunction } from 'nodemailer/lib/mailer';
import type SmtpPoolTransport from 'nodemailer/lib/smtp-pool';
import type { SMTPPoolOptions, SMTPPoolSentMessageInfo } from 'nodemailer/lib/smtp-pool';
import { keyText } from '../../core/service-account.js';
import type { AddressRule } from '../../http/address-guard.js';
import { guardedSocket } from './smtp-socket.js';
import { type SmtpTokens, usesTokens } from './smtp-tokens.js';

type Pool = Transporter<SMTPPoolSentMessageInfo, SMTPPoolOptions>;

const MAX_POOLS = 100;
const IDLE_POOL_MS = 60_000;
const CONNECT_MS = 10_000;
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

/** Of these, the options of the transport do not tell. */
const LOGIN_KEYS = ['clientId', 'clientSecret', 'refreshToken', 'serviceAccount', 'tokenUrl'];

type ProvisionCallback = (user: string, renew: boolean, done: (error: Error | null, token?: string) => void) => void;
type Credentials = Readonly<Record<string, unknown>>;

function text(credentials: Credentials, key: string): string | undefined {
  const value = credentials[key];
  // Pasted values have blanks and line breaks around them.
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Options of the TLS session only: `path` or `host` would redirect the connection. */
function tlsOptions(value: unknown): SMTPPoolOptions['tls'] {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([key]) => TLS_KEYS.has(key)));
}

function dkim(credentials: Credentials): SMTPPoolOptions['dkim'] {
  const domainName = text(credentials, 'domain');
  const privateKey = keyText(text(credentials, 'secretKey') ?? '');
  const keySelector = text(credentials, 'accountSid');
  return domainName && privateKey && keySelector ? { domainName, privateKey, keySelector } : undefined;
}

function login(credentials: Credentials, tokens: SmtpTokens): Pick<SMTPPoolOptions, 'auth'> {
  const user = text(credentials, 'user');
  if (user === undefined) return {};
  if (!usesTokens(credentials)) return { auth: { user, pass: text(credentials, 'password') ?? '' } };
  let last: string | undefined;
  const provisionCallback: ProvisionCallback = (_user, renew, done) => {
    const wish = { now: new Date(), ...(renew && last !== undefined && { refused: last }) };
    void tokens.get(credentials, wish).then(
      (token) => done(null, (last = token)),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  };
  return { auth: { type: 'OAuth2', user, provisionCallback } };
}

/**
 * The name with which the connection greets: that of the settings, else the domain of the sender, which exists. Otherwise it is that of the
 * machine, and `[127.0.0.1]` where that has no domain, as in containers, which strict servers refuse.
 */
export function helloName(credentials: Credentials): Pick<SMTPPoolOptions, 'name'> {
  const set = text(credentials, 'helloName');
  if (set !== undefined) return { name: set };
  const [, domain = ''] = /@([^@\s>]+)>?$/.exec(text(credentials, 'from') ?? '') ?? [];
  const ascii = domainToASCII(domain);
  return ascii.includes('.') ? { name: ascii } : {};
}

function smtpOptions(credentials: Credentials, tokens: SmtpTokens): SMTPPoolOptions {
  const signing = dkim(credentials);
  const tls = tlsOptions(credentials['tlsOptions']);
  return {
    host: text(credentials, 'host'),
    ...helloName(credentials),
    port: Number(credentials['port']),
    secure: credentials['secure'] === true,
    requireTLS: credentials['requireTls'] === true,
    ignoreTLS: credentials['ignoreTls'] === true,
    ...login(credentials, tokens),
    ...(signing === undefined ? {} : { dkim: signing }),
    ...(tls === undefined ? {} : { tls }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Connections to one server with the same credentials, as long as it takes so many. Postfix takes 50 of a client. */
export const USUAL_CONNECTIONS = 40;
/** One burst of refusals counts once. */
const BURST_MS = 500;
/** After so long without a refusal, one connection more is tried. */
const WIDEN_MS = 2_000;
/** What is left of the limit after a refusal. */
const LEFT = 0.75;

/** In addition to nodemailer's own options. */
export interface WatchedMail extends SendMailOptions {
  onWholeRead?: () => void;
}

/**
 * Calls `onWholeRead` when the connection has read the message's last byte. After the final dot, which follows, the
 * server may have the message; before, it does not.
 */
const tellWhenRead: PluginFunction<SMTPPoolSentMessageInfo> = (mail, done) => {
  const { message } = mail;
  const create = message.createReadStream.bind(message);
  message.createReadStream = (options) => create(options).once('end', () => (mail.data as WatchedMail).onWholeRead?.());
  done();
};

/** Connections to one server: fewer after it has refused one. */
export class SmtpPool {
  private narrowedTo: number;
  private narrowedAt = -Infinity;

  /** @param now monotonic, in milliseconds */
  constructor(
    private readonly transport: Pool,
    private readonly options: SmtpPoolTransport['options'],
    private readonly most: number,
    private readonly now: () => number,
  ) {
    this.narrowedTo = most;
  }

  get limit(): number {
    const more = Math.floor((this.now() - this.narrowedAt) / WIDEN_MS);
    return Math.min(this.narrowedTo + more, this.most);
  }

  send(mail: WatchedMail): Promise<SMTPPoolSentMessageInfo> {
    this.options.maxConnections = this.limit;
    return this.transport.sendMail(mail);
  }

  /** The server has refused a connection: a quarter fewer must do for now. Those that are open stay. */
  narrow(): void {
    const now = this.now();
    if (now - this.narrowedAt < BURST_MS) return;
    this.narrowedTo = Math.max(1, Math.floor(this.limit * LEFT));
    this.narrowedAt = now;
    this.options.maxConnections = this.narrowedTo;
  }

  close(): void {
    this.transport.close();
  }
}

/** Pools by credentials, closed after a minute without use. */
export class SmtpTransports {
  private readonly pools = new LRUCache<string, SmtpPool>({
    max: MAX_POOLS,
    ttl: IDLE_POOL_MS,
    updateAgeOnGet: true,
    ttlAutopurge: true,
    dispose: (pool) => pool.close(),
  });
  private readonly keys = new WeakMap<Credentials, string>();

  /**
   * @param rule allowed addresses; undefined: all
   * @param most connections to one server
   */
  constructor(
    private readonly rule: AddressRule | undefined,
    private readonly tokens: SmtpTokens,
    private readonly most = USUAL_CONNECTIONS,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** How many mails may be sent at once. */
  limit(credentials: Credentials): number {
    return this.pools.get(this.keyOf(credentials))?.limit ?? this.most;
  }

  async pool(credentials: Credentials): Promise<SmtpPool> {
    const key = this.keyOf(credentials);
    return this.pools.get(key) ?? this.open(key, this.options(credentials));
  }

  /** A separate connection that the caller closes. */
  async single(credentials: Credentials): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport(this.options(credentials));
  }

  close(): void {
    this.pools.clear();
  }

  private keyOf(credentials: Credentials): string {
    const known = this.keys.get(credentials);
    if (known !== undefined) return known;
    const parts = [this.options(credentials), ...LOGIN_KEYS.map((one) => credentials[one])];
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64');
    this.keys.set(credentials, key);
    return key;
  }

  private async open(key: string, options: SMTPPoolOptions): Promise<SmtpPool> {
    const { createTransport } = await import('nodemailer');
    // Of several concurrent first mails, one opens the pool.
    const known = this.pools.get(key);
    if (known) return known;
    const transport = createTransport({
      ...options,
      pool: true,
      maxConnections: this.most,
      maxMessages: 500,
      maxRequeues: 1,
      idleTimeout: IDLE_POOL_MS / 2,
    });
    transport.use('stream', tellWhenRead);
    const { options: live } = transport.transporter as SmtpPoolTransport;
    const pool = new SmtpPool(transport, live, this.most, this.now);
    this.pools.set(key, pool);
    return pool;
  }

  private options(credentials: Credentials): SMTPPoolOptions {
    const options = smtpOptions(credentials, this.tokens);
    return this.rule === undefined ? options : { ...options, getSocket: guardedSocket(this.rule, CONNECT_MS) };
  }
}
