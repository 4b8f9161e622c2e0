import type { StepTypeDeclaration } from '#libs/plugins';
import { described, inForm, isObject, list, named, object, rule, text } from '#libs/validation';
import { z } from 'zod';
import { foreseenArm } from '../arms.js';

const MAX_NAME_LENGTH = 100;
const MAX_ARMS = 10;
const WHOLE = 100;

const arm = named(
  'SplitArmDto',
  object({
    name: described(text(MAX_NAME_LENGTH), { description: 'Name of the arm.', example: 'A' }),
    share: described(
      z
        .number({ error: 'must be a number' })
        .min(0, { error: 'must be 0 or more' })
        .max(WHOLE, { error: `must be at most ${WHOLE}` }),
      { description: 'Per cent of the subscribers who take it.', example: 50 },
    ),
  }),
  'An arm of a split.',
);

const members = {
  arms: inForm(
    list(arm, { max: MAX_ARMS, error: 'must be an array of objects with name and share' }),
    {
      title: 'Arms',
      help: 'Two to ten arms with a name and a share in per cent. The shares must come to 100.',
      required: true,
    },
    { description: 'Splits: two to ten arms, each with a `name` and its `share` in per cent; they come to 100.' },
  ),
  winner: inForm(
    text(MAX_NAME_LENGTH).nullish(),
    {
      title: 'This one wins',
      help: 'The name of the arm that everybody takes from now on. Left empty, the shares count.',
    },
    { description: 'Splits: the arm that everybody takes, once you know which is better.', example: 'A' },
  ),
};

export interface SplitMetadata {
  readonly arms: readonly { readonly name: string; readonly share: number }[];
  readonly winner?: string;
}

/** Checks the metadata of a split. */
const splitMetadata = rule(object(members, 'must be an object: a split needs arms'), ({ arms, winner }, report) => {
  if (!Array.isArray(arms) || !arms.every(isObject)) return;
  if (arms.length < 2) return report('must have at least two arms', 'arms');
  // Shares such as 33.3 have no exact sum.
  const sum = arms.reduce((total, { share }) => total + Number(share), 0);
  if (Math.abs(sum - WHOLE) > 1e-6) report(`must have shares that come to ${WHOLE}; these come to ${sum}`, 'arms');
  const isKnown = winner === undefined || winner === null || arms.some(({ name }) => name === winner);
  if (!isKnown) report(`must be the name of an arm: ${arms.map(({ name }) => String(name)).join(', ')}`, 'winner');
});

export const split = {
  type: 'split',
  group: 'control',
  place: 6,
  label: 'Split',
  description:
    'Divides the subscribers among its arms by shares, each always into the same one. Later steps stand in one of its arms.',
  summary: [
    { text: 'Sends everybody into {metadata.winner}, which has won.' },
    { text: 'Divides the subscribers among its arms.' },
  ],
  template: {},
  metadata: { members, check: splitMetadata },
  arms: ({ metadata: { arms } }) =>
    Array.isArray(arms) ? arms.map((one: unknown) => (isObject(one) ? one['name'] : undefined)) : [],
  foreseen: { arm: foreseenArm },
  trail: {
    taken: { text: 'Split was decided', status: 'Success' },
  },
} satisfies StepTypeDeclaration;
