import type { StepTypeDeclaration } from '#libs/plugins';
import { foreseenArm } from '../arms.js';

/** The arm of those for whom no condition passes. */
export const ELSE = 'else';

export const branch = {
  type: 'branch',
  group: 'control',
  place: 5,
  label: 'Branch',
  description:
    'Takes the first of its variants whose conditions pass, or else the arm else. Later steps stand in one of its arms.',
  summary: [{ text: 'Decides which of the steps in its arms run.' }],
  canHaveVariants: true,
  template: {},
  arms: ({ variants = [] }) => [...variants.map(({ name }) => name), ELSE],
  foreseen: { arm: foreseenArm },
  trail: {
    taken: { text: 'Branch was decided', status: 'Success' },
  },
} satisfies StepTypeDeclaration;
