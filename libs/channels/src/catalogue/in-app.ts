import { declare } from './declare.js';

export const IN_APP_DECLARATIONS = [
  declare('in_app', 'novu', 'Novu Inbox', 'hmac', {
    state: 'implemented',
    note: 'In-app messages are stored, not sent: the delivery engine writes them and no adapter is involved.',
  }),
];
