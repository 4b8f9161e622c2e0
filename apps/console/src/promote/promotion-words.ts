import type { Schemas } from '../api/client.js';

type Change = Schemas['PromotedChangeResponse'];

const KINDS: Readonly<Record<Change['kind'], string>> = {
  'notification-group': 'group',
  feed: 'feed',
  layout: 'layout',
  translation: 'translations',
  workflow: 'workflow',
  'workflow-override': 'override',
  budget: 'budget',
};
const OUTCOMES: Readonly<Record<Change['outcome'], string>> = {
  created: 'New',
  updated: 'Changed',
  deleted: 'Deleted',
};

export const outcomeOf = ({ outcome }: Pick<Change, 'outcome'>): string => OUTCOMES[outcome];

/** Such as `workflow order-shipped`. */
export const titleOf = ({ kind, name }: Pick<Change, 'kind' | 'name'>): string => `${KINDS[kind]} ${name}`;

export const countOf = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** A feed is nothing but its name. */
export function hasContent({ kind, outcome }: Pick<Change, 'kind' | 'outcome'>): boolean {
  return outcome !== 'deleted' && kind !== 'feed';
}

export function sentPromotion(
  sourceEnvironmentId: string,
  workflow: string | undefined,
  prune: boolean,
  leaveOut: readonly string[],
): Schemas['PreviewPromotionDto'] {
  return {
    sourceEnvironmentId,
    ...(workflow !== undefined && { workflow }),
    ...(prune && { prune }),
    ...(leaveOut.length > 0 && { leaveOut: [...leaveOut] }),
  };
}
