import { parseArgs } from 'node:util';
import { KEY_SCOPES, type KeyScope } from '#libs/common';
import { commandLine } from '#libs/config';
import { DEVELOPMENT, PRODUCTION } from '../../../../src/environments/index.js';

export const KEY_USAGE = `Usage: ${commandLine('keys', ' <command> [options]')}

  list                                  the live keys, without the keys themselves
  issue [--name <text>] [--scopes <list>] [--expires <date>]
                                        a new key; it is shown in full only once
  rotate <id>                           replaces this key by a new one
  revoke <id>                           the key stops working; the last live one with the scope admin stays
  reseal [--accept-loss]                seals all stored secrets with the current STORE_ENCRYPTION_KEY;
                                        with --accept-loss also where the key of some of them is lost
  vapid                                 a new pair of keys for an integration of the provider web-push; nothing is stored

  --scopes <list>                       what the key may do, such as trigger,read; trigger, read, write, admin unless given

  --environment <Development|Production>  whose keys; Development unless given`;

/** A command about API keys, about the encryption key, or about keys of Web Push. */
export type Command =
  KeyCommand | { readonly action: 'reseal'; readonly acceptLoss: boolean } | { readonly action: 'vapid' };

export type KeyCommand = { readonly environment: string } & (
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
  const environment = environmentOf(values.environment ?? DEVELOPMENT);
  if (rest.length > 0) throw new UsageError(`'${rest.join(' ')}' is not understood.`);
  if (action === 'rotate' || action === 'revoke') {
    if (id === undefined) throw new UsageError(`Which key? '${action}' needs the id that 'list' shows.`);
    return { environment, action, id };
  }
  if (id !== undefined) throw new UsageError(`'${id}' is not understood.`);
  if (action === 'reseal') return { action, acceptLoss: values['accept-loss'] ?? false };
  if (action === 'vapid') return { action };
  if (action === 'list') return { environment, action };
  if (action !== 'issue') throw new UsageError(action === undefined ? 'What to do?' : `There is no '${action}'.`);
  const expiresAt = values.expires === undefined ? undefined : dateOf(values.expires, now);
  const scopes = values.scopes === undefined ? undefined : scopesOf(values.scopes);
  const name = values.name ?? 'command line';
  return { environment, action, name, ...(scopes && { scopes }), ...(expiresAt && { expiresAt }) };
}

function parsed(args: readonly string[]): {
  values: Partial<Record<'environment' | 'name' | 'scopes' | 'expires', string | undefined>> & {
    'accept-loss'?: boolean | undefined;
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
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function environmentOf(text: string): string {
  const name = [DEVELOPMENT, PRODUCTION].find((known) => known.toLowerCase() === text.toLowerCase());
  if (name === undefined) throw new UsageError(`There is no environment '${text}'.`);
  return name;
}

function scopesOf(text: string): KeyScope[] {
  const named = text.split(',').map((part) => part.trim());
  const wrong = named.find((name) => !KEY_SCOPES.some((scope) => scope === name));
  if (wrong !== undefined) throw new UsageError(`There is no scope '${wrong}'; there are ${KEY_SCOPES.join(', ')}.`);
  return KEY_SCOPES.filter((scope) => named.includes(scope));
}

function dateOf(text: string, now: Date): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new UsageError(`'${text}' is no date; write it like 2030-12-31.`);
  if (date <= now) throw new UsageError(`'${text}' has passed already.`);
  return date;
}
