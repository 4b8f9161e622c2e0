import type { StepTypeDeclaration } from '#libs/plugins';
import { contentWord } from '#libs/templates';
import { message, TEXT_ADVICE, withoutText } from '../message-words.js';

export const chat: StepTypeDeclaration = {
  ...message,
  type: 'chat',
  place: 4,
  label: 'Chat',
  lane: 'chat',
  description: 'Posts a message to a chat, such as Slack or WhatsApp.',
  summary: [{ text: 'Posts “{template.content}”.' }, { text: 'Posts to a chat.' }],
  template: {
    content: contentWord('Text; a template.', {
      title: 'Text',
      help: 'What is posted. It can hold values such as {{subscriber.firstName}}.',
      required: true,
    }),
  },
  runFault: (template) => withoutText(template, TEXT_ADVICE),
};
