import type { AnswerButtons } from '../../core/provider.js';
import { jsonOrNothing } from '../../callbacks/callback-events.js';
import { secretOf } from '../../callbacks/signature.js';
import { at, textAt } from '../../declarative/json-path.js';
import { givenWebhook, messageIdOf, rowsOf, shortLabel } from './chat-fields.js';

const PING = 1;
const COMPONENT = 3;
/** Answers: to the test of the address, a message, and the pressed message with other content. */
const PONG = 1;
const MESSAGE = 4;
const UPDATE = 7;
/** Only for who has pressed. */
const EPHEMERAL = 64;
const MAX_LABEL = 80;
const ROW = { type: 1, most: 5 };

/** https://discord.com/developers/docs/interactions/receiving-and-responding */
export const discordButtons: AnswerButtons = {
  // Webhooks that no application owns show no buttons.
  areHeard: (credentials, message) =>
    secretOf(credentials, 'callbackSecret') !== undefined &&
    secretOf(credentials, 'apiToken') !== undefined &&
    givenWebhook(message) === undefined,
  fields: ({ buttons = [] }) => ({
    components: rowsOf(
      buttons.map(({ label, token }) => ({
        type: 2,
        style: 2,
        custom_id: token,
        label: shortLabel(label, MAX_LABEL),
      })),
      ROW.most,
    ).map((components) => ({ type: ROW.type, components })),
  }),
  probe: (request) => (at(jsonOrNothing(request), 'type') === PING ? { type: PONG } : undefined),
  repliesChange: true,
  press: (request) => {
    const json = jsonOrNothing(request);
    const token = textAt(json, 'data.custom_id');
    const user = textAt(json, 'member.user.id') ?? textAt(json, 'user.id');
    const channel = textAt(json, 'channel_id');
    if (at(json, 'type') !== COMPONENT || token === undefined || user === undefined || channel === undefined)
      return undefined;
    return {
      token,
      account: user,
      messageId: messageIdOf(channel, textAt(json, 'message.id')),
      isAt: (address) => address === channel,
      reply: ({ text, content }) =>
        content === undefined
          ? { type: MESSAGE, data: { content: text, flags: EPHEMERAL } }
          : { type: UPDATE, data: { content, components: [] } },
    };
  },
};
