import type { Type } from '@nestjs/common';
import type { z } from 'zod';
import type { Caller, KeyScope } from '#libs/common';
import { type AppException, createValidationPipe, ValidationFailed } from '#libs/http-kit';
import { faultsOf } from '#libs/validation';

/** What a call is about, for the audit log. Never the name of a person. */
export interface About {
  readonly id?: string;
  readonly name?: string;
}

export interface ToolAnswer {
  readonly data: unknown;
  readonly about?: About;
  /** Where a person was asked instead: what was done then, for the audit log. */
  readonly instead?: { readonly action: string; readonly resource: string };
}

interface Described {
  readonly name: string;
  readonly description: string;
  readonly scope: KeyScope;
  /** Kind of resource in the audit log. */
  readonly resource: string;
  readonly isReadOnly?: true;
}

interface Declared<Input extends z.ZodObject> extends Described {
  readonly input: Input;
  /** The operation of the API that does the same, by which the audit log names the call. */
  readonly action: string | ((input: z.infer<Input>) => string);
  readonly run: (caller: Caller, input: z.infer<Input>) => Promise<ToolAnswer>;
}

/** What an agent can call, by intent: a tool is no route. */
export interface Tool extends Described {
  readonly input: z.ZodObject;
  /** @returns an error where the input is wrong, so that such a call can be recorded before it is refused */
  readonly prepare: (given: unknown) => PreparedCall | AppException;
}

export interface PreparedCall {
  readonly action: string;
  readonly run: (caller: Caller) => Promise<ToolAnswer>;
}

/** Declares a tool, whose input is checked before it runs. */
export function tool<Input extends z.ZodObject>({ action, run, ...described }: Declared<Input>): Tool {
  return {
    ...described,
    prepare: (given) => {
      const parsed = described.input.safeParse(given);
      if (!parsed.success) return new ValidationFailed(faultsOf(described.input, given, 'arguments'));
      const input = parsed.data;
      return {
        action: typeof action === 'string' ? action : action(input),
        run: (caller) => run(caller, input),
      };
    },
  };
}

const validation = createValidationPipe();

/** The input of a service, with the checks and defaults of its route. @throws {ValidationFailed} */
export async function inputOf<T extends object>(metatype: Type<T>, type: 'body' | 'query', value: object): Promise<T> {
  return (await validation.transform(value, { type, metatype })) as T;
}
