import { isDeepStrictEqual } from 'node:util';

export const DEFINITION_OUTCOMES = ['created', 'updated', 'unchanged'] as const;
export type DefinitionOutcome = (typeof DEFINITION_OUTCOMES)[number];

export interface MissingReference {
  readonly kind: 'notification-group' | 'feed' | 'layout' | 'workflow';
  readonly name: string;
  /** Dotted path in the definition. */
  readonly path: string;
}

/** `T` is the definition without defaults. */
export interface DefinitionChange<T> {
  readonly outcome: DefinitionOutcome;
  /** Null: no such record yet. */
  readonly before: T | null;
  readonly after: T;
  /** Only a dry run lists missing references; otherwise they are rejected. */
  readonly missing: readonly MissingReference[];
}

export interface DefinedRecord<T> {
  readonly id: string;
  readonly definition: T;
}

export function definitionChange<T>(
  before: T | null,
  after: T,
  missing: readonly MissingReference[] = [],
): DefinitionChange<T> {
  const outcome = before === null ? 'created' : isDeepStrictEqual(before, after) ? 'unchanged' : 'updated';
  return { outcome, before, after, missing };
}

/** False if there is nothing to write. */
export function isChange({ outcome }: Pick<DefinitionChange<unknown>, 'outcome'>, isDryRun: boolean): boolean {
  return !isDryRun && outcome !== 'unchanged';
}
