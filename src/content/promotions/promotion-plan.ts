import { createHash } from 'node:crypto';
import type { EnvironmentResponse } from '../../platform/environments/index.js';
import type { DefinitionStore } from './definition-store.js';

export const PROMOTION_OUTCOMES = ['created', 'updated', 'deleted'] as const;
export type PromotionOutcome = (typeof PROMOTION_OUTCOMES)[number];

/** One change of the target. */
export interface PlannedChange {
  readonly store: DefinitionStore;
  readonly name: string;
  readonly outcome: PromotionOutcome;
  /** In the target. */
  readonly before: object | null;
  /** As the source has it; null: to be deleted. */
  readonly after: object | null;
  /** Record id in the target, of what is deleted. */
  readonly id?: string;
  readonly sourceVersion?: number;
  readonly version?: number;
}

/** Why a record cannot be promoted. */
export interface Refusal {
  readonly store: DefinitionStore;
  readonly name: string;
  readonly fault: string;
}

/** What a promotion changes, in this order. */
export interface PromotionPlan {
  readonly from: EnvironmentResponse;
  readonly changes: readonly PlannedChange[];
  readonly unchanged: number;
  /** Why it cannot be carried out. */
  readonly refusals: readonly Refusal[];
  /** Of what is replaced and what replaces it. */
  readonly digest: string;
}

export function digestOf(environments: readonly string[], changes: readonly PlannedChange[]): string {
  const compared = changes.map(({ store, name, outcome, before, after }) => [store.kind, name, outcome, before, after]);
  return createHash('sha256')
    .update(JSON.stringify([environments, compared]))
    .digest('base64url');
}

/** Differs between any two records: no kind has a slash. */
export function keyOf({ kind }: Pick<DefinitionStore, 'kind'>, name: string): string {
  return `${kind}/${name}`;
}

export function titleOf({ store, name }: Pick<PlannedChange, 'store' | 'name'>): string {
  return `${store.kind.replace('-', ' ')} ${name}`;
}
