import type { Schemas } from '../api/client.js';
import type { Block } from './block-kinds.js';

/** A mail to begin with. */
export interface Starter {
  readonly name: string;
  readonly note: string;
  readonly subject: string;
  readonly preheader: string;
  readonly blocks: readonly Block[];
  /** What the preview shows until an event has come. */
  readonly sample: Readonly<Record<string, unknown>>;
}

const heading = (content: string): Block => ({ type: 'heading', content });
const text = (content: string): Schemas['EmailInnerBlockDto'] => ({ type: 'text', content });
const button = (content: string, url: string): Block => ({
  ...{ type: 'button', content, url },
  styles: { backgroundColor: '#1f4fbf', color: '#ffffff' },
});
const divider: Block = { type: 'divider', content: '' };
const footer: Block = {
  type: 'footer',
  content: 'Example Ltd, 1 Main Street, Exampletown<br><a href="{{unsubscribeUrl}}">Unsubscribe</a>',
};
/** Mails that people need are without a link to unsubscribe. */
const address: Block = { type: 'footer', content: 'Example Ltd, 1 Main Street, Exampletown' };

export const STARTERS: readonly Starter[] = [
  {
    name: 'Blank',
    note: 'One text',
    subject: '',
    preheader: '',
    blocks: [text('Hello {{subscriber.firstName}},')],
    sample: {},
  },
  {
    name: 'Welcome',
    note: 'Three first steps and a button',
    subject: 'Welcome, {{subscriber.firstName}}',
    preheader: 'Your first steps take five minutes.',
    blocks: [
      heading('Welcome, {{subscriber.firstName}}!'),
      text('It is good to have you here. These are the first things that most people do:'),
      text('<ul><li>Complete your profile</li><li>Invite your team</li><li>Make your first project</li></ul>'),
      button('Get started', '{{app.url}}'),
      divider,
      {
        type: 'columns',
        content: '',
        columns: [
          { blocks: [text('<b>Read the guide</b><br>It answers what most people ask first.')] },
          { blocks: [text('<b>Write to us</b><br>Reply to this mail; a person reads it.')] },
        ],
      },
      { type: 'social', content: '', links: [{ text: 'Our blog', url: 'https://example.com/blog' }] },
      footer,
    ],
    sample: { app: { url: 'https://app.example.com' } },
  },
  {
    name: 'Receipt',
    note: 'A row for each product, and the total',
    subject: 'Your order {{order.number}}',
    preheader: 'Thank you. Here is what you have ordered.',
    blocks: [
      heading('Thank you for your order'),
      text('Hello {{subscriber.firstName}}, your order <b>{{order.number}}</b> is on its way to us.'),
      divider,
      {
        ...{ type: 'product', content: '<b>{{item.name}}</b><br>{{item.quantity}} ×', price: '{{item.price}}' },
        each: 'order.items',
      },
      divider,
      { type: 'product', content: 'Discount', price: '−{{order.discount}}', showIf: 'order.discount' },
      { type: 'product', content: '<b>Total</b>', price: '{{order.total}}' },
      button('View the order', '{{order.url}}'),
      address,
    ],
    sample: {
      order: {
        number: '4711',
        total: '€ 87.00',
        discount: '€ 5.00',
        url: 'https://shop.example.com/orders/4711',
        items: [
          { name: 'Desk lamp', quantity: 1, price: '€ 42.00' },
          { name: 'Light bulb', quantity: 2, price: '€ 50.00' },
        ],
      },
    },
  },
  {
    name: 'Trial ends',
    note: 'How long it lasts, and what comes then',
    subject: 'Your trial ends in {{trial.days}} days',
    preheader: 'Choose a plan to keep what you have made.',
    blocks: [
      heading('Your trial ends in {{trial.days}} days'),
      text(
        'Hello {{subscriber.firstName}}, your trial of <b>{{trial.plan}}</b> ends on {{trial.endsOn}}. Choose a plan, and everything stays as it is.',
      ),
      button('Choose a plan', '{{trial.url}}'),
      text('If you do nothing, your account becomes a free one. Nothing is deleted.'),
      footer,
    ],
    sample: { trial: { days: 3, plan: 'Pro', endsOn: '14 March', url: 'https://app.example.com/plans' } },
  },
  {
    name: 'Digest',
    note: 'What has happened, after a digest step',
    subject: '{{step.total_count}} new things for you',
    preheader: 'What has happened since the last mail.',
    blocks: [
      heading('What you have missed'),
      text('Hello {{subscriber.firstName}}, there are {{step.total_count}} new things:'),
      {
        type: 'text',
        content: '<b>{{item.title}}</b><br>{{item.text}} <a href="{{item.url}}">Open</a>',
        each: 'step.events',
      },
      divider,
      footer,
    ],
    sample: { title: 'Ada commented on “Plan”', text: 'Looks good to me.', url: 'https://app.example.com/plan' },
  },
  {
    name: 'Security notice',
    note: 'A sign-in, and what to do if it was somebody else',
    subject: 'A new sign-in to your account',
    preheader: 'If this was not you, change your password.',
    blocks: [
      heading('A new sign-in to your account'),
      text('Hello {{subscriber.firstName}}, somebody has signed in to your account:'),
      { type: 'product', content: 'Device', price: '{{signIn.device}}' },
      { type: 'product', content: 'Place', price: '{{signIn.place}}', showIf: 'signIn.place' },
      { type: 'product', content: 'Time', price: '{{signIn.time}}' },
      text('If it was you, you need not do anything. <b>If it was not, change your password now.</b>'),
      button('Change the password', '{{signIn.url}}'),
      address,
    ],
    sample: {
      signIn: {
        device: 'Firefox on Windows',
        place: 'Kiel, Germany',
        time: '14 March, 09:26',
        url: 'https://app.example.com/password',
      },
    },
  },
];
