import type { AnswerValue, Question, QuestionOption } from './question.schema.js';

export const APPROVE = 'approve';
const REFUSE = 'refuse';
const APPROVE_OPTIONS: readonly QuestionOption[] = [
  { id: APPROVE, label: 'Approve' },
  { id: REFUSE, label: 'Refuse' },
];

export type Votes = Pick<Question, 'kind' | 'options' | 'quorum' | 'veto' | 'people' | 'answers'>;

export interface Verdict {
  readonly status: 'answered' | 'undecided';
  readonly value?: AnswerValue;
}

/** The answers to choose from; none for a text or a number. */
export function optionsOf({ kind, options }: Pick<Question, 'kind' | 'options'>): readonly QuestionOption[] {
  return kind === 'approve' && options.length === 0 ? APPROVE_OPTIONS : options;
}

export function labelOf(question: Pick<Question, 'kind' | 'options'>, value: AnswerValue): string {
  return optionsOf(question).find(({ id }) => id === value)?.label ?? String(value);
}

/** What the answers come to. The same for everybody who reads the same answers; undefined while it is open. */
export function verdictOf(question: Votes): Verdict | undefined {
  const { kind, quorum, veto, answers } = question;
  const waitsFor = remaining(question);
  const needed = quorum === 'all' ? answers.length + waitsFor : quorum;
  const last = answers.at(-1)?.value;
  if (last !== undefined && needed === 1) return { status: 'answered', value: last };
  const votes = (value: AnswerValue): number => answers.filter((answer) => answer.value === value).length;
  const isReachable = (value: AnswerValue): boolean => votes(value) + waitsFor >= needed;
  if (kind === 'approve') {
    const refusals = votes(REFUSE);
    if (refusals > 0 && (veto || !isReachable(APPROVE))) return { status: 'answered', value: REFUSE };
    if (last !== undefined && votes(APPROVE) >= needed) return { status: 'answered', value: APPROVE };
    return isReachable(APPROVE) && needed > 0 ? undefined : { status: 'undecided' };
  }
  const values = optionsOf(question).map(({ id }) => id);
  const chosen = last === undefined ? undefined : values.find((value) => votes(value) >= needed);
  if (chosen !== undefined) return { status: 'answered', value: chosen };
  const isOpen = values.length === 0 ? waitsFor > 0 : needed > 0 && values.some(isReachable);
  return isOpen ? undefined : { status: 'undecided' };
}

function remaining({ people, answers }: Pick<Question, 'people' | 'answers'>): number {
  const answered = new Set(answers.map(({ _subscriberId }) => _subscriberId.toHexString()));
  return people.filter(({ _id }) => !answered.has(_id.toHexString())).length;
}

export type Timeline = Pick<Question, 'waves' | 'asked' | 'remindAt' | 'reminded' | 'expiresAt'>;

/** The wave that comes next, and when; undefined once all are asked. */
export function nextWave({ waves, asked }: Timeline): Date | undefined {
  return waves[asked.length];
}

/** When an open question has something to do again. */
export function nextDue(question: Timeline): Date {
  const { remindAt, reminded, expiresAt } = question;
  const times = [nextWave(question), reminded === undefined ? remindAt : undefined, expiresAt];
  return new Date(Math.min(...times.map((time) => time?.getTime() ?? Infinity)));
}
