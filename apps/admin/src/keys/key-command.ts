import { parseArgs } from 'node:util';
import { KEY_SCOPES, type KeyScope } from '#libs/common';
import { commandLine } from '#libs/config';
import { DEVELOPMENT, PRODUCTION } from '../../../../src/platform/environments/index.js';

export const KEY_USAGE = `Usage: ${commandLine('keys', ' <command> [options]')}

  list                                  list the active keys without their values
  issue [--name <text>] [--scopes <list>] [--expires <date>]
                                        issue a key; its value is shown only once
  rotate <id>                           replace a key with a new one
  revoke <id>                           revoke a key; the last active key with the scope admin cannot be revoked
  reseal [--accept-loss]                re-encrypt all stored secrets with the current STORE_ENCRYPTION_KEY;
                                        --accept-loss continues if the key of some secrets is lost
  vapid                                 generate a key pair for a web-push integration; nothing is stored

  --scopes <list>                       scopes of the key, such as trigger,read (default: trigger,read,write,admin)

  --environment <Development|Production>  environment of the keys (default: Development)
  --json                                print the keys as JSON (list, issue, rotate)`;

/** A command about API keys, about the encryption key, or about keys of Web Push. */
export type Command =
  KeyCommand | { readonly action: 'reseal'; readonly acceptLoss: boolean } | { readonly action: 'vapid' };

/** `json`: answered for programs. */
export type KeyCommand = { readonly environment: string; readonly json?: true } & (
  | { readonly action: 'list' }
  | { readonly action: 'issue'; readonly name: string; readonly scopes?: KeyScope[]; readonly expiresAt?: Date }
  | { readonly action: 'rotate' | 'revoke'; readonly id: string }
);

/** The command line is wrong; the message says how. */
export class UsageError extends Error {
  constructor(message: string) {
    super(`${message}\n\n${KEY_USAGE}`);
    this.name = 'UsageError';
  }
}

/** @throws {UsageError} */
export function parseKeyCommand(args: readonly string[], now = new Date()): Command {
  const { values, positionals } = parsed(args);
  const [action, id, ...rest] = positionals;
  const common = {
    environment: environmentOf(values.environment ?? DEVELOPMENT),
    ...(values.json && { json: true as const }),
  };
  if (rest.length > 0) throw new UsageError(`Unexpected argument '${rest.join(' ')}'.`);
  if (action === 'rotate' || action === 'revoke') {
    if (id === undefined) throw new UsageError(`'${action}' needs the id of a key. Run 'list' to see the ids.`);
    return { ...common, action, id };
  }
  if (id !== undefined) throw new UsageError(`Unexpected argument '${id}'.`);
  if (action === 'reseal') return { action, acceptLoss: values['accept-loss'] ?? false };
  if (action === 'vapid') return { action };
  if (action === 'list') return { ...common, action };
  if (action !== 'issue')
    throw new UsageError(action === undefined ? 'Name a command.' : `Unknown command '${action}'.`);
  const expiresAt = values.expires === undefined ? undefined : dateOf(values.expires, now);
  const scopes = values.scopes === undefined ? undefined : scopesOf(values.scopes);
  const name = values.name ?? 'command line';
  return { ...common, action, name, ...(scopes && { scopes }), ...(expiresAt && { expiresAt }) };
}

function parsed(args: readonly string[]): {
  values: Partial<Record<'environment' | 'name' | 'scopes' | 'expires', string | undefined>> & {
    'accept-loss'?: boolean | undefined;
    json?: boolean | undefined;
  };
  positionals: string[];
} {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        environment: text,
        name: text,
        scopes: text,
        expires: text,
        'accept-loss': { type: 'boolean' },
        json: { type: 'boolean' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function environmentOf(text: string): string {
  const name = [DEVELOPMENT, PRODUCTION].find((known) => known.toLowerCase() === text.toLowerCase());
  if (name === undefined) throw new UsageError(`Unknown environment '${text}'.`);
  return name;
}

function scopesOf(text: string): KeyScope[] {
  const named = text.split(',').map((part) => part.trim());
  const wrong = named.find((name) => !KEY_SCOPES.some((scope) => scope === name));
  if (wrong !== undefined) throw new UsageError(`Unknown scope '${wrong}'. Scopes are ${KEY_SCOPES.join(', ')}.`);
  return KEY_SCOPES.filter((scope) => named.includes(scope));
}

function dateOf(text: string, now: Date): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new UsageError(`'${text}' is not a date. Use the format 2030-12-31.`);
  if (date <= now) throw new UsageError(`'${text}' is in the past.`);
  return date;
}
