import type { Schemas } from '../api/client.js';
import type { Tone } from '../ui/status.js';

export type Question = Schemas['QuestionResponse'];
export type Answer = Question['answers'][number];
type Outcome = NonNullable<Question['outcome']>;
export type Request = NonNullable<Question['request']>;

export const STATUSES = [
  { value: '', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'answered', label: 'Answered' },
  { value: 'undecided', label: 'Undecided' },
  { value: 'expired', label: 'Expired' },
  { value: 'canceled', label: 'Canceled' },
];

const TONES: Readonly<Record<Question['status'], Tone>> = {
  open: 'busy',
  answered: 'good',
  undecided: 'warn',
  expired: 'warn',
  canceled: 'idle',
};

export function statusWord({ status }: Pick<Question, 'status'>): { readonly tone: Tone; readonly label: string } {
  return { tone: TONES[status], label: STATUSES.find(({ value }) => value === status)?.label ?? status };
}

/** An answer as people see it. */
export function valueWord({ options }: Pick<Question, 'options'>, value: Answer['value']): string {
  return options.find(({ id }) => id === value)?.label ?? String(value);
}

/** Who decided; undefined where nobody did. */
export function deciderWord({ by }: Pick<Outcome, 'by'>): string | undefined {
  if (by === undefined) return undefined;
  if (by.type === 'default') return 'Nobody answered in time';
  if (by.type === 'api_key') return 'An API key';
  if (by.type === 'user') return `${by.name ?? 'A person'}, in the console`;
  return by.subscriberId ?? 'Somebody who was deleted';
}

const WAYS: Readonly<Record<Answer['via'], string>> = {
  api: 'By your server',
  inbox: 'In the inbox',
  link: 'By a link',
  chat: 'By a button in a chat',
};

export function wayWord({ via }: Pick<Answer, 'via'>): string {
  return WAYS[via];
}

export function kindWord({ kind, request }: Pick<Question, 'kind' | 'request'>): string {
  if (request !== undefined) return `Request of the agent ${request.agent}`;
  const words = { approve: 'Approve or refuse', choose: 'Choose', text: 'A text', number: 'A number' };
  return words[kind];
}

export function quorumWord({ quorum, veto }: Pick<Question, 'quorum' | 'veto'>): string {
  const votes = quorum === 'all' ? 'Everybody' : quorum === 1 ? 'The first answer decides' : `${quorum} alike`;
  return veto ? `${votes}; one refusal decides` : votes;
}

/** What would be done after a yes. */
export function requestWord({ operation, workflow, count }: Request): string {
  const people = `${count.toLocaleString('en')} ${count === 1 ? 'subscriber' : 'subscribers'}`;
  return operation === 'triggerEvent' ? `Trigger ${workflow ?? 'a workflow'} for ${people}` : `Ask ${people}`;
}
