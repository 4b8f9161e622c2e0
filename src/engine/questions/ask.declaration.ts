import type { StepTypeDeclaration } from '#libs/plugins';
import { template } from '#libs/templates';
import { flag, inForm, list, oneOf } from '#libs/validation';
import { z } from 'zod';
import { QUESTION_KINDS, type QuestionKind } from './question.schema.js';

const MAX_LENGTH = 1_000;
const MAX_BODY = 5_000;
const MAX_LISTED = 100;
const MAX_SECONDS = 366 * 86_400;

const KIND_LABELS: Readonly<Record<QuestionKind, string>> = {
  approve: 'To approve or refuse',
  choose: 'To choose an answer',
  text: 'For a text',
  number: 'For a number',
};

const seconds = (least: number) =>
  z
    .int({ error: 'must be a whole number' })
    .min(least, { error: `must be at least ${least}` })
    .max(MAX_SECONDS, {
      error: `must be at most ${MAX_SECONDS}`,
    });
const ids = (error: string) =>
  list(template(MAX_LENGTH).min(1, { error: 'must not be empty' }), { max: MAX_LISTED, error });

const members = {
  title: inForm(
    template(MAX_LENGTH).min(1, { error: 'must not be empty' }),
    { title: 'Question', help: 'What is asked, in a sentence.' },
    { description: 'The question, in a sentence; a template.', example: 'Refund order {{order.id}}?' },
  ),
  body: inForm(
    template(MAX_BODY).nullish(),
    { title: 'Text', help: 'What people need to know to answer.' },
    { description: 'What people need to know to answer; a template.', example: '{{order.reason}}' },
  ),
  kind: inForm(
    oneOf(QUESTION_KINDS).nullish(),
    { title: 'People are asked', help: 'What the answer is.', labels: KIND_LABELS },
    { description: 'What the answer is. Default: `approve`.', example: 'approve' },
  ),
  options: inForm(
    z
      .array(z.strictObject({ id: z.string().min(1).max(255), label: z.string().min(1).max(255) }), {
        error: 'must be an array of objects with id and label',
      })
      .max(20, { error: 'must have at most 20 entries' })
      .nullish(),
    { title: 'Answers', help: 'The answers to choose from, with id and label.', control: 'json' },
    { description: 'The answers to choose from, with `id` and `label`; only with `choose`.' },
  ),
  recipients: inForm(
    ids(`must be an array of at most ${MAX_LISTED} ids of subscribers`).nullish(),
    { title: 'Who is asked', help: 'Ids of subscribers. Left empty, it is the subscriber of this notification.' },
    {
      description: 'Ids of the subscribers who are asked; templates. Default: the subscriber of this notification.',
      example: ['{{order.managerId}}'],
    },
  ),
  topics: inForm(
    ids(`must be an array of at most ${MAX_LISTED} keys of topics`).nullish(),
    { title: 'Topics', help: 'Keys of topics, whose members are asked as well.' },
    { description: 'Keys of topics, whose members are asked as well; templates.', example: ['managers'] },
  ),
  waves: inForm(
    z
      .array(
        z.strictObject({
          recipients: ids('must be an array of ids of subscribers').optional(),
          topics: ids('must be an array of keys of topics').optional(),
          after: seconds(1),
        }),
        { error: 'must be an array of objects with recipients, topics and after' },
      )
      .max(10, { error: 'must have at most 10 entries' })
      .nullish(),
    {
      title: 'Who is asked later',
      help: 'Waves with recipients or topics, and after: the seconds until they are asked if nobody has decided.',
      control: 'json',
    },
    {
      description:
        'Who is asked later if nobody has decided: waves with `recipients`, `topics` and `after`, in seconds.',
    },
  ),
  quorum: inForm(
    z
      .union([z.literal('one'), z.literal('all'), z.int().min(1)], { error: 'must be one, all or a whole number' })
      .nullish(),
    {
      title: 'Needed',
      help: 'How many have to give the same answer: one for the first, all for everybody, or a number.',
      control: 'json',
    },
    { description: 'How many have to give the same answer: `one`, `all` or a number. Default: `one`.', example: 'one' },
  ),
  veto: inForm(
    flag().nullish(),
    { title: 'One refusal decides', help: 'Whatever is needed to approve.' },
    { description: 'One refusal decides; only with `approve`. Default: false.', example: false },
  ),
  expiresIn: inForm(
    seconds(1).nullish(),
    { title: 'Seconds to answer', help: 'When the question ends. Left empty, after a week.' },
    { description: 'Seconds until the question ends. Default: 604800, a week.', example: 86_400 },
  ),
  remindAfter: inForm(
    seconds(1).nullish(),
    { title: 'Seconds until a reminder', help: 'When those who have not answered are asked once more.' },
    { description: 'Seconds until those who have not answered are asked once more. Default: never.', example: 3_600 },
  ),
  default: inForm(
    z.union([template(MAX_LENGTH).min(1), z.number()], { error: 'must be a text or a number' }).nullish(),
    { title: 'Answer if nobody decides', help: 'What counts when the time is over.', control: 'json' },
    { description: 'The answer if nobody has decided in time.', example: 'refuse' },
  ),
  workflow: inForm(
    template(MAX_LENGTH).nullish(),
    { title: 'Workflow of the messages', help: 'Left empty, it is the workflow question.', control: 'workflow' },
    { description: 'Trigger identifier of the workflow that carries the messages. Default: `question`.' },
  ),
};

export type AskInput = z.infer<z.ZodObject<typeof members>>;

export const ask = {
  type: 'ask',
  group: 'action',
  label: 'Ask people',
  description: 'Asks people a question and waits for its outcome, which later steps use.',
  summary: [{ text: 'Asks: {template.title}' }, { text: 'Asks people a question.' }],
  lane: 'plugin',
  canHaveVariants: true,
  template: members,
  needs: ({ template: { title, body, recipients, topics, waves, default: fallback, workflow } }) => ({
    texts: [title, body, recipients, topics, waves, fallback, workflow],
  }),
  trail: {
    started: { text: 'People are to be asked', status: 'Pending' },
    waits: { text: 'People are asked', status: 'Pending' },
    completed: { text: 'The question has its outcome', status: 'Success' },
    retried: { text: 'People could not be asked and it will be tried again', status: 'Warning' },
    failed: { text: 'People were not asked', status: 'Failed' },
  },
  reasons: {
    question_not_asked: {
      title: 'The question was not asked',
      remedy: 'Correct the step, the subscribers or the topics that it names, then replay the notification.',
    },
  },
} satisfies StepTypeDeclaration;
