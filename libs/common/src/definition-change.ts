import { isDeepStrictEqual } from 'node:util';

export const DEFINITION_OUTCOMES = ['created', 'updated', 'unchanged'] as const;
export type DefinitionOutcome = (typeof DEFINITION_OUTCOMES)[number];

/** A record that a definition names and that the environment does not have. */
export interface MissingReference {
  readonly kind: 'notification-group' | 'feed' | 'layout' | 'workflow';
  readonly name: string;
  /** Where the definition names it, with dots. */
  readonly path: string;
}

/** What storing a definition changes. `T` is the definition with every default left out. */
export interface DefinitionChange<T> {
  readonly outcome: DefinitionOutcome;
  /** Null: there is no such record yet. */
  readonly before: T | null;
  readonly after: T;
  /** Only a dry run lists missing references; otherwise they are refused. */
  readonly missing: readonly MissingReference[];
}

/** A record with its definition. */
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

/** Whether there is something to write. */
export function isChange({ outcome }: Pick<DefinitionChange<unknown>, 'outcome'>, isDryRun: boolean): boolean {
  return !isDryRun && outcome !== 'unchanged';
}
