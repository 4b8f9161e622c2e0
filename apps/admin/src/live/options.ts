import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CommandError } from '../run-command.js';

type Options = NonNullable<ParseArgsConfig['options']>;
type Line<T extends Options> = ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>>;

/** The options of a command line. @throws an error of `parseArgs`, which programs show with the usage */
export function optionsIn<T extends Options>(args: readonly string[], options: T): Line<T> {
  return parseArgs({ args: [...args], options, allowPositionals: true });
}

/** A whole number of an option. @throws {CommandError} */
export function numberIn(text: string, option: string, [least, most]: readonly [number, number]): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new CommandError(`--${option} must be a whole number from ${least} to ${most}.`, 2);
  }
  return value;
}
