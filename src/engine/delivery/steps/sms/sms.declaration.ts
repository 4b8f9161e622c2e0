import type { StepTypeDeclaration } from '#libs/plugins';
import { contentWord } from '#libs/templates';
import { message, TEXT_ADVICE, withoutText } from '../message-words.js';

export const sms: StepTypeDeclaration = {
  ...message,
  type: 'sms',
  place: 3,
  label: 'SMS',
  lane: 'sms',
  address: 'phone',
  description: 'Sends a text message to a phone.',
  summary: [{ text: 'Texts “{template.content}”.' }, { text: 'Sends a text message.' }],
  template: {
    content: contentWord('Text; a template.', {
      title: 'Text',
      help: 'What the phone shows. It can hold values such as {{subscriber.firstName}}.',
      required: true,
    }),
  },
  runFault: (template) => withoutText(template, TEXT_ADVICE),
};
