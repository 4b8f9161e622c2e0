import type { StepTypeDeclaration } from '#libs/plugins';
import { contentMembers, contentWord, lineWord, recordReferences } from '#libs/templates';
import { inForm } from '#libs/validation';
import { message, replacesWord, TEXT_ADVICE, withoutText } from '../message-words.js';

export const inApp: StepTypeDeclaration = {
  ...message,
  type: 'in_app',
  place: 1,
  label: 'In-app',
  description: "Adds a message to the subscriber's inbox.",
  summary: [
    { text: 'Shows “{template.title}” in the inbox.' },
    { text: 'Shows “{template.subject}” in the inbox.' },
    { text: 'Adds a message to the inbox.' },
  ],
  template: {
    content: contentWord('Text of the message; a template. HTML is allowed.', {
      title: 'Message',
      help: 'What the subscriber reads. It can hold HTML and values such as {{subscriber.firstName}}.',
      control: 'html',
      required: true,
    }),
    subject: lineWord('Subject; a template.', { title: 'Subject', help: 'A line above the message.' }),
    title: lineWord('Title; a template.', { title: 'Title', help: 'A headline of the message, if you want one.' }),
    cta: inForm(
      contentMembers.cta,
      {
        title: 'Link and buttons',
        help: 'Where a click on the message leads, and up to ten buttons below it.',
        control: 'json',
      },
      { description: 'Call to action: link and buttons.' },
    ),
    actor: inForm(
      contentMembers.actor,
      { title: 'Picture', help: 'An icon or a picture that stands beside the message.', control: 'json' },
      { description: 'Picture shown next to the message.' },
    ),
    feedId: inForm(
      recordReferences.feedId,
      { title: 'Feed', help: 'The list of the inbox in which the message stands.', control: 'feed' },
      { description: 'Id of the feed that the message belongs to.', nullable: true },
    ),
    groupKey: lineWord(
      'Key of a group; a template. Inboxes that group show the newest message of a group, with the number of all.',
      {
        title: 'Group',
        help: 'Messages of a person with the same key stand as one in the inbox, with their number. Leave it empty if every message stands alone.',
      },
      'comments-{{document.id}}',
    ),
    replaces: replacesWord,
  },
  runFault: (template) => withoutText(template, TEXT_ADVICE),
};
