import type { StepTask } from '../run/step-handler.js';
import { textAt } from './overrides.js';
import { recipientLinks } from './template-variables.js';

/** What a message offers that asks a question. */
export interface OfferedAnswers {
  readonly questionId: string;
  /** Of the page. */
  readonly url: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
}

/** @returns undefined for messages that ask nothing, and where Herald does not know its own address */
export function offeredAnswers(task: StepTask): OfferedAnswers | undefined {
  const { question, payload } = task.run.event;
  const { answerUrl: url } = recipientLinks(task);
  if (question === undefined || url === undefined) return undefined;
  const shown = payload['question'];
  const listed = typeof shown === 'object' && shown !== null && 'options' in shown ? shown.options : undefined;
  const options = (Array.isArray(listed) ? (listed as unknown[]) : []).flatMap((one) => {
    const [id, label] = ['id', 'label'].map((key) => textAt(one as Record<string, unknown>, key));
    return id === undefined || label === undefined ? [] : [{ id, label }];
  });
  return { questionId: question.toHexString(), url, options };
}
