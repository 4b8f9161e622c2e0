import type { StepTypeDeclaration } from '#libs/plugins';
import { template } from '#libs/templates';
import { inForm } from '#libs/validation';
import type { z } from 'zod';

const MAX_LENGTH = 1_000;

const members = {
  text: inForm(
    template(MAX_LENGTH).min(1, { error: 'must not be empty' }),
    { title: 'Text', help: 'What later steps get.' },
    { description: 'A template; later steps read what becomes of it.', example: 'Hello {{subscriber.firstName}}' },
  ),
};

export type __Name__Input = z.infer<z.ZodObject<typeof members>>;

export const __name__ = {
  type: '__code__',
  group: 'action',
  label: '__Text__',
  description: 'Renders a text for later steps.',
  summary: [{ text: 'Renders {template.text}.' }, { text: 'Renders a text.' }],
  lane: 'plugin',
  template: members,
  needs: ({ template: { text } }) => ({ texts: [text] }),
  trail: {
    started: { text: '__Text__ started', status: 'Pending' },
    completed: { text: '__Text__ completed', status: 'Success' },
  },
} satisfies StepTypeDeclaration;
