import { type AppConfig, commandLine, ConfigError } from '#libs/config';
import { FilesUsageError } from '../files/command.js';
import { type Env, PLACE_USAGE, placeIn } from '../live/place.js';
import { optionsIn } from '../live/options.js';
import { printable, printableLines, toJson } from '../printable.js';
import { CommandError, progressReporter } from '../run-command.js';
import { type Check, fail, ok, warn, within } from './check.js';
import { Dns } from './dns.js';
import { checkHealth, checkInside } from './herald-checks.js';
import { checkDisk, checkPort, checkRedis, checkStore } from './machine-checks.js';
import { checkMail, type Sender } from './mail-checks.js';
import { verifyData } from './verify-checks.js';

const DOCTOR_USAGE = `Usage: ${commandLine('doctor')} [options]

Examines an installation: settings, store, clock, disk, Redis, port, providers, and whether receivers will believe your
mails (SPF, DKIM and DMARC in the DNS). It asks the running Herald; where none is running, it looks at the settings, the
store and the machine. Nothing is sent or changed, and it ends within a minute or two.

  --verify           read everything in the embedded store of DATA_DIR instead, also while Herald uses it: all documents, and all
                     indexes in both directions; lists each damage, and shows progress for large stores
  --domain NAME      also examine this domain of senders, with or without a running Herald; can be repeated
  --smtp-host NAME   SMTP server that sends for --domain
  --selector NAME    DKIM selector of --domain
  --dns ADDRESS      DNS server to ask, such as 9.9.9.9 or 127.0.0.1:5353 (default: those of this machine)
  --json             print the result as JSON

${PLACE_USAGE}
With HERALD_URL, only that Herald is examined, and not this machine.
Exit codes: 0 no failure, 1 a check failed, 2 wrong command line.`;

const OPTIONS = {
  verify: { type: 'boolean', default: false },
  domain: { type: 'string', multiple: true, default: [] as string[] },
  'smtp-host': { type: 'string' },
  selector: { type: 'string' },
  dns: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const MACHINE_MS = 20_000;
const HEALTH_MS = 12_000;
const INSIDE_MS = 90_000;
const MAIL_MS = 45_000;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9])?$/i;

export interface DoctorStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** `herald doctor`, from the command line to the exit code. */
export async function doctorProgram(
  args: readonly string[],
  env: Env,
  loadConfig: () => AppConfig,
  { out, err }: DoctorStreams,
): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    out(`${DOCTOR_USAGE}\n`);
    return 0;
  }
  try {
    const { values, positionals } = optionsIn(args, OPTIONS);
    if (positionals.length > 0) throw new CommandError(DOCTOR_USAGE, 2);
    const checks = values.verify
      ? await verifyChecks(env, loadConfig, values.json ? () => undefined : progressReporter(args))
      : await examine(env, loadConfig, dnsOf(values.dns), sendersIn(values));
    const failed = checks.filter(({ status }) => status === 'fail').length;
    out(values.json ? `${toJson({ ok: failed === 0, checks })}\n` : report(checks));
    return failed === 0 ? 0 : 1;
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string };
    const isUsage = code.startsWith('ERR_PARSE_ARGS');
    if (!isUsage && !(error instanceof CommandError) && !(error instanceof FilesUsageError)) throw error;
    err(`${printableLines(isUsage ? `${message}\n\n${DOCTOR_USAGE}` : message)}\n`);
    return 2;
  }
}

async function verifyChecks(
  env: Env,
  loadConfig: () => AppConfig,
  report: (line: string) => void,
): Promise<readonly Check[]> {
  if (env['HERALD_URL']?.trim())
    throw new CommandError(
      '--verify reads the store of this machine. Unset HERALD_URL, and run it where DATA_DIR is.',
      2,
    );
  const { config, checks } = settingsOf(loadConfig);
  return config === undefined ? checks : verifyData(config, report);
}

async function examine(env: Env, loadConfig: () => AppConfig, dns: Dns, named: readonly Sender[]): Promise<Check[]> {
  const { config, checks: settings } = settingsOf(loadConfig);
  const isRemote = Boolean(env['HERALD_URL']?.trim());
  const url = isRemote ? addressOf(env) : localUrl(config);
  const health =
    url === undefined ? undefined : await within('herald', HEALTH_MS, async () => (await checkHealth(url)) ?? []);
  const isRunning = health !== undefined && health.length > 0;
  const machine = isRemote || config === undefined ? [] : machineChecks(config, isRunning);
  const inside = isRunning && url !== undefined ? insideOf(env, url) : Promise.resolve({ checks: [], senders: [] });
  const results = await Promise.all([...machine, inside.then(({ checks }) => checks)]);
  const senders = [...named, ...(await inside).senders];
  const mail = senders.length === 0 ? [] : await within('mail', MAIL_MS, () => checkMail(dns, senders));
  return [...(isRemote ? [] : settings), ...(isRunning ? health : absent(url, isRemote)), ...results.flat(), ...mail];
}

function settingsOf(loadConfig: () => AppConfig): { config?: AppConfig; checks: Check[] } {
  try {
    return { config: loadConfig(), checks: [ok('settings', 'The settings are valid.')] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      checks: error.faults.map((fault) => fail('settings', fault, 'Correct it in .env or in the environment.')),
    };
  }
}

function addressOf(env: Env): string {
  return placeIn({ ...env, HERALD_API_KEY: 'none' }).url;
}

function localUrl(config: AppConfig | undefined): string | undefined {
  if (config === undefined) return undefined;
  const host = config.get('HOST').replace('0.0.0.0', '127.0.0.1').replace(/^::$/, '::1');
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.get('PORT')}`;
}

function absent(url: string | undefined, isRemote: boolean): Check[] {
  if (url === undefined) return [];
  const sentence = `No Herald answers at ${url}.`;
  if (isRemote) return [fail('herald', sentence, 'Start it, or correct HERALD_URL.')];
  return [warn('herald', sentence, 'Start it with herald start; then its providers and senders are examined as well.')];
}

function machineChecks(config: AppConfig, isRunning: boolean): Promise<readonly Check[]>[] {
  const checks = { disk: checkDisk, redis: checkRedis, ...(!isRunning && { store: checkStore, port: checkPort }) };
  return Object.entries(checks).map(([name, check]) => within(name, MACHINE_MS, () => check(config)));
}

async function insideOf(env: Env, url: string): Promise<{ checks: readonly Check[]; senders: Sender[] }> {
  let key: string;
  try {
    ({ key } = placeIn(env));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return {
      checks: [warn('providers', error.message, 'Then providers and senders are examined as well.')],
      senders: [],
    };
  }
  let senders: Sender[] = [];
  const checks = await within('providers', INSIDE_MS, async () => {
    const found = await checkInside(url, key);
    ({ senders } = found);
    return found.checks;
  });
  return { checks, senders };
}

function dnsOf(server: string | undefined): Dns {
  try {
    return new Dns(server);
  } catch {
    throw new CommandError('--dns must be an IP address, with or without a port, such as 127.0.0.1:5353.', 2);
  }
}

interface MailOptions {
  readonly domain: readonly string[];
  readonly 'smtp-host'?: string | undefined;
  readonly selector?: string | undefined;
}

function sendersIn({ domain: domains, 'smtp-host': host, selector }: MailOptions): Sender[] {
  if (domains.length === 0 && (host ?? selector) !== undefined) {
    throw new CommandError('--smtp-host and --selector belong to a --domain.', 2);
  }
  const wrong = domains.find((domain) => !DOMAIN.test(domain));
  if (wrong !== undefined) throw new CommandError(`--domain: '${wrong}' is not the name of a domain.`, 2);
  return domains.map((name) => {
    const domain = name.toLowerCase();
    return {
      domain,
      ...(host !== undefined && { host }),
      ...(selector !== undefined && { dkim: { domain, selector } }),
    };
  });
}

function report(checks: readonly Check[]): string {
  const lines = checks.flatMap(({ name, status, sentence, advice }) => [
    `${status.padEnd(5)} ${name}: ${sentence}`,
    ...(advice === undefined ? [] : [`      ${advice}`]),
  ]);
  const count = (wanted: Check['status']): number => checks.filter(({ status }) => status === wanted).length;
  lines.push(`${count('ok')} ok, ${count('warn')} to look at, ${count('fail')} failed.`);
  return lines.map((line) => `${printable(line)}\n`).join('');
}
