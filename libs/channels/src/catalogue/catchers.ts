import type { ProviderDeclaration } from '../core/declaration.js';
import { CATCHERS } from '../core/caught.js';
import { declare } from './declare.js';

const NOTE =
  'For development: messages are kept to be looked at, and nothing is sent. While it is active, it takes every message of its channel, whichever integration would have sent it. An environment of production refuses it. [Catching messages](../manual/catcher.md) switches all channels at once.';
const SENDER = {
  from: 'Sender where no other integration has one',
  senderName: 'Name of that sender',
};

export const CATCHER_DECLARATIONS: readonly ProviderDeclaration[] = [
  declare('email', CATCHERS.email, 'Catcher', 'from senderName', {
    supports: { attachments: true, copies: true },
    describe: SENDER,
    note: NOTE,
  }),
  declare('sms', CATCHERS.sms, 'Catcher', 'from', { supports: {}, describe: SENDER, note: NOTE }),
  declare('chat', CATCHERS.chat, 'Catcher', '', { supports: {}, address: ['integration'], note: NOTE }),
  declare('push', CATCHERS.push, 'Catcher', '', { supports: { batch: true }, note: NOTE }),
];
