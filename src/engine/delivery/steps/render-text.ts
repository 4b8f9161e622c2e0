import { RENDERED_FIELDS, TemplateError, withoutMarks } from '#libs/templates';
import type { RunTemplate } from '../records/workflow-version.js';
import type { StepTask } from '../run/step-handler.js';
import type { MessageRendering } from './message-rendering.js';
import { channelOverrides, overridesOf, textAt } from './overrides.js';
import type { RenderedContent } from './provider-channel.js';
import { messageVariables, noteMissingValues } from './template-variables.js';

const NAMES = { sms: 'text message', chat: 'chat message' } as const;

export interface TextContent extends RenderedContent {
  readonly text: string;
  /** With marks around its values, where providers of the channel have markup. */
  readonly marked: string;
}

/** Renders the message of a channel that has only a text, or takes it from the overrides of the event. */
export async function renderText(
  rendering: MessageRendering,
  channel: keyof typeof NAMES,
  task: StepTask,
  template: RunTemplate,
): Promise<TextContent> {
  const { content } = template;
  const source = typeof content === 'string' ? content : '';
  noteMissingValues(task, template);
  const as = RENDERED_FIELDS[channel].content;
  const [rendered = ''] = await rendering.texts(task, [{ source, as }], messageVariables(task, template));
  const marked = textAt(channelOverrides(overridesOf(task), channel), 'content') ?? rendered;
  const text = withoutMarks(marked);
  if (text.trim() === '') throw new TemplateError(`the ${NAMES[channel]} is empty`);
  return { text, marked, record: { content: text } };
}
