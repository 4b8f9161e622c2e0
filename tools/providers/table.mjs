import { CHAT_ROWS } from './chat.mjs';
import { EMAIL_ROWS } from './email.mjs';
import { MORE_EMAIL_ROWS } from './more-email.mjs';
import { PUSH_ROWS } from './push.mjs';
import { SMS_ROWS } from './sms.mjs';

/**
 * A row for each provider that sends. `library` is that of its maker, `send` sends a message with it. `specification` describes its requests.
 * `differs` says where Herald's request is another one, and why; `without` which messages are left out, and why; `unchecked` why there is
 * nothing to compare with. `answers` are those that a side needs to finish, by path; a prelude, such as a login, is not compared.
 */
export const ROWS = [...EMAIL_ROWS, ...MORE_EMAIL_ROWS, ...SMS_ROWS, ...CHAT_ROWS, ...PUSH_ROWS];
