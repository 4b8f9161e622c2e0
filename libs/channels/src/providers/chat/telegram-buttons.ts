import type { AnswerButtons } from '../../core/provider.js';
import { jsonOrNothing } from '../../callbacks/callback-events.js';
import { secretOf } from '../../callbacks/signature.js';
import { textAt } from '../../declarative/json-path.js';
import { messageIdOf, rowsOf, shortLabel } from './chat-fields.js';

/** Of what a person is told who has pressed. */
const MAX_TOLD = 200;

/** https://core.telegram.org/bots/api#callbackquery */
export const telegramButtons: AnswerButtons = {
  areHeard: (credentials) => secretOf(credentials, 'callbackSecret') !== undefined,
  // A message that is changed without a keyboard has none any more.
  fields: ({ buttons = [] }) =>
    buttons.length === 0
      ? {}
      : {
          reply_markup: {
            inline_keyboard: rowsOf(
              buttons.map(({ label, token }) => ({ text: label, callback_data: token })),
              2,
            ),
          },
        },
  press: (request) => {
    const json = jsonOrNothing(request);
    const id = textAt(json, 'callback_query.id');
    const token = textAt(json, 'callback_query.data');
    const user = textAt(json, 'callback_query.from.id');
    const chat = textAt(json, 'callback_query.message.chat.id');
    if (id === undefined || token === undefined || user === undefined || chat === undefined) return undefined;
    const name = textAt(json, 'callback_query.message.chat.username');
    return {
      token,
      account: user,
      messageId: messageIdOf(chat, textAt(json, 'callback_query.message.message_id')),
      isAt: (address) => address === chat || (name !== undefined && address === `@${name}`),
      reply: ({ text }) => ({
        method: 'answerCallbackQuery',
        callback_query_id: id,
        text: shortLabel(text, MAX_TOLD),
      }),
    };
  },
};
