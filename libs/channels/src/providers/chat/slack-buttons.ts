import type { AnswerButtons } from '../../core/provider.js';
import { formBody, jsonOrNothing } from '../../callbacks/callback-events.js';
import { secretOf } from '../../callbacks/signature.js';
import { textAt } from '../../declarative/json-path.js';
import { messageIdOf, rowsOf, shortLabel } from './chat-fields.js';

/** Of a text in a block, and of the label of a button. */
const MAX_SECTION = 3_000;
const MAX_LABEL = 75;

/** https://docs.slack.dev/reference/interaction-payloads/block_actions-payload */
export const slackButtons: AnswerButtons = {
  areHeard: (credentials) => secretOf(credentials, 'callbackSecret') !== undefined,
  // Without blocks in the request, the message would keep those that it has.
  fields: ({ content, buttons = [] }) => ({
    blocks: buttons.length === 0 ? [] : [...sectionsOf(content), { type: 'actions', elements: buttons.map(element) }],
  }),
  press: (request) => {
    const json = jsonOrNothing({ rawBody: Buffer.from(formBody(request).get('payload') ?? '') });
    const token = textAt(json, 'actions.0.value');
    const user = textAt(json, 'user.id');
    const channel = textAt(json, 'channel.id');
    if (textAt(json, 'type') !== 'block_actions' || token === undefined) return undefined;
    if (user === undefined || channel === undefined) return undefined;
    const isDirect = channel.startsWith('D');
    const name = textAt(json, 'channel.name');
    return {
      token,
      account: user,
      messageId: messageIdOf(channel, textAt(json, 'container.message_ts') ?? textAt(json, 'message.ts')),
      isAt: (address) =>
        address === channel ||
        (name !== undefined && address === `#${name}`) ||
        // The app and one person are in it, and Slack has found the person by the address.
        (isDirect && (address === user || address.includes('@'))),
      // Slack shows nothing of the answer.
      reply: () => undefined,
    };
  },
};

function sectionsOf(content: string): object[] {
  const texts = rowsOf([...content], MAX_SECTION).map((letters) => letters.join(''));
  return texts.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text } }));
}

function element({ label, token }: { label: string; token: string }, place: number): object {
  const text = { type: 'plain_text', text: shortLabel(label, MAX_LABEL) };
  return { type: 'button', action_id: `answer-${place}`, text, value: token };
}
