import { isDeepStrictEqual } from 'node:util';

/** What definitions speak of, each after what it refers to. */
export const DEFINITION_KINDS = [
  'notification-group',
  'feed',
  'layout',
  'translation',
  'workflow',
  'workflow-override',
  'budget',
] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

export function isDefinitionKind(name: string): name is DefinitionKind {
  const kinds: readonly string[] = DEFINITION_KINDS;
  return kinds.includes(name);
}

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
  /** Of what is stored, for kinds with versions. Absent: nothing is stored. */
  readonly version?: number;
}

export interface DefinedRecord<T> {
  readonly id: string;
  readonly definition: T;
  /** For kinds with versions. */
  readonly version?: number;
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
