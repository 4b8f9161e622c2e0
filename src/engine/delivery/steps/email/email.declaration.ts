import type { StepTypeDeclaration } from '#libs/plugins';
import { checkMail, contentMembers, lineWord, picturePlace, recordReferences } from '#libs/templates';
import { inForm } from '#libs/validation';
import { message, withoutText } from '../message-words.js';

const ADVICE: Readonly<Record<string, string>> = {
  customHtml: 'it is the HTML of the mail',
  mjml: 'it is the MJML of the mail',
};
const BLOCKS_ADVICE =
  "send a list of blocks such as { type: 'text', content: 'Hello' }, or HTML with contentType customHtml";

export const email: StepTypeDeclaration = {
  ...message,
  type: 'email',
  place: 2,
  label: 'Email',
  description: 'Sends an email.',
  lane: 'email',
  address: 'email',
  summary: [{ text: 'Sends the email “{template.subject}”.' }, { text: 'Sends an email.' }],
  template: {
    subject: lineWord(
      'Subject; a template.',
      { title: 'Subject', help: 'The subject line of the email.' },
      'Order {{order.number}} is on its way',
    ),
    content: inForm(
      contentMembers.content,
      {
        title: 'Content',
        help: 'The text of the email. It can hold values such as {{subscriber.firstName}}.',
        control: 'email',
        required: true,
      },
      {
        description: 'HTML with `customHtml`, MJML with `mjml`, otherwise a text or blocks; a template.',
        example: '<p>Hello {{subscriber.firstName}}</p>',
      },
    ),
    contentType: inForm(
      contentMembers.contentType,
      {
        title: 'Format',
        help: 'How the content is written.',
        labels: { editor: 'Text and buttons', customHtml: 'HTML', mjml: 'MJML' },
      },
      {
        description: 'Format of `content`: editor blocks, HTML or MJML, which is a whole document and takes no layout.',
        example: 'customHtml',
      },
    ),
    preheader: lineWord('Preview text that mail clients show next to the subject; a template.', {
      title: 'Preview text',
      help: 'The words that a mailbox shows beside the subject.',
    }),
    senderName: lineWord("Name of the sender; replaces the integration's sender name. A template.", {
      title: 'Sender name',
      help: 'Who the email is from. Left empty, the name of the integration is used.',
    }),
    images: inForm(
      picturePlace,
      {
        title: 'Pictures',
        help: 'Mail programs show pictures that are inside of the mail at once. They make the mail larger.',
        labels: { linked: 'Linked', inline: 'Inside of the mail' },
      },
      {
        description:
          'Where the pictures of `POST /v1/images` are, those of the layout included: `linked` by their addresses, or `inline` in the mail, each once as `cid:`. Others stay linked. Default: `linked`.',
        example: 'inline',
      },
    ),
    layoutId: inForm(
      recordReferences.layoutId,
      { title: 'Layout', help: 'The frame around the content, such as a header and a footer.', control: 'layout' },
      {
        description:
          'Id of the layout. A new step without one gets the default layout, if there is one; null removes that of an existing step.',
        nullable: true,
      },
    ),
  },
  checkTemplate: checkMail,
  compiles: (template) =>
    template['contentType'] === 'mjml' && typeof template['content'] === 'string' && template['content'].trim() !== ''
      ? [{ member: 'content', as: 'MJML' }]
      : [],
  runFault: (template) => {
    const contentType = template['contentType'];
    if (contentType === 'mjml' && template['_layoutId'] !== undefined) {
      return 'layoutId must be absent: an email in MJML is a whole document';
    }
    return withoutText(template, ADVICE[String(contentType)] ?? BLOCKS_ADVICE);
  },
};
