import type { StepTypeDeclaration } from '#libs/plugins';
import { contentWord, lineWord } from '#libs/templates';
import { message, replacesWord, TEXT_ADVICE, withoutText } from '../message-words.js';

export const push: StepTypeDeclaration = {
  ...message,
  type: 'push',
  place: 5,
  label: 'Push',
  lane: 'push',
  namesProvider: true,
  description: "Sends a push notification to the subscriber's devices.",
  summary: [{ text: 'Pushes “{template.title}”.' }, { text: 'Sends a push notification.' }],
  template: {
    title: lineWord(
      'Title; a template.',
      { title: 'Title', help: 'The first line of the notification.' },
      'On its way',
    ),
    content: contentWord('Text; a template.', {
      title: 'Text',
      help: 'The text below the title. It can hold values such as {{subscriber.firstName}}.',
      required: true,
    }),
    replaces: replacesWord,
  },
  runFault: (template) => withoutText(template, TEXT_ADVICE),
};
