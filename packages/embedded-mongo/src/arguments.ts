import { VERSION } from './commands/admin.js';

export interface Arguments {
  version: boolean;
  /** Reads everything that the data directory has, and ends. */
  verify: boolean;
  versionText: string;
  port: number;
  dbpath: string;
  socketPath?: string;
  flush: boolean;
  ttlIntervalMs?: number;
}

/** Options with a value that mongod takes and that make no difference here. */
const IGNORED_WITH_VALUE = new Set(['--storageEngine', '--logpath', '--wiredTigerCacheSizeGB']);
const IGNORED = new Set(['--noauth', '--quiet', '--logappend', '--ipv6', '--nounixsocket']);
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);

/** Reads a mongod command line; what cannot be honoured is refused by name. */
export function parseArguments(argv: readonly string[]): Arguments {
  const out: Arguments = { version: false, verify: false, versionText: VERSION, port: 27017, dbpath: '', flush: true };
  const args = argv.flatMap((arg) =>
    arg.startsWith('--') && arg.includes('=')
      ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)]
      : [arg],
  );
  for (let i = 0; i < args.length; i++) {
    const name = args[i] as string;
    const value = (): string => {
      const next = args[++i];
      if (next === undefined) throw new Error(`The option ${name} needs a value.`);
      return next;
    };
    if (name === '--version') out.version = true;
    else if (name === '--verify') out.verify = true;
    else if (name === '--no-sync') out.flush = false;
    else if (name === '--port') out.port = wholeNumber(name, value(), 65_535);
    else if (name === '--dbpath') out.dbpath = value();
    else if (name === '--socket') out.socketPath = value();
    else if (name === '--ttl-interval-ms') out.ttlIntervalMs = wholeNumber(name, value(), 86_400_000);
    else if (name === '--bind_ip') checkBind(value());
    else if (IGNORED_WITH_VALUE.has(name)) value();
    else if (!IGNORED.has(name))
      throw new Error(
        `The option ${name} is not supported. Supported: --port, --dbpath, --socket, --bind_ip 127.0.0.1, --no-sync, --ttl-interval-ms, --verify, --version.`,
      );
  }
  if (!out.version && out.dbpath === '') throw new Error('Give the data directory with --dbpath DIR.');
  return out;
}

function wholeNumber(name: string, text: string, max: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > max)
    throw new Error(`The option ${name} needs a whole number up to ${max}, not '${text}'.`);
  return number;
}

function checkBind(list: string): void {
  for (const address of list.split(',')) {
    if (!LOOPBACK.has(address.trim()))
      throw new Error(`The embedded store listens on loopback only; --bind_ip ${address} is refused.`);
  }
}
