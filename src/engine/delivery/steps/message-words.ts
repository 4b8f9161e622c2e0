import { isWithoutContent, lineWord, MAX_KEY_LENGTH } from '#libs/templates';
import { sharedMetadata } from '#libs/schedule';
import { inForm } from '#libs/validation';

/** When a message may be sent, of the metadata of every channel's step. */
const sendingTimes = {
  outsideSchedule: inForm(sharedMetadata.outsideSchedule, {
    title: 'Outside the delivery hours',
    help: "What happens to the message outside of the subscriber's delivery hours. Left empty, the workflow decides.",
    labels: { skip: 'Skip the message', wait: 'Wait until they begin' },
  }),
  sendWindow: inForm(sharedMetadata.sendWindow, {
    title: 'Send only at these times',
    help: 'Days and hours at which your team lets the message out. Until then, it waits.',
    control: 'schedule',
  }),
};

/** What the steps of all channels declare. */
export const message = { group: 'message', canHaveVariants: true, metadata: { members: sendingTimes } } as const;

/** The fault of a message without a text. */
export function withoutText(template: Readonly<Record<string, unknown>>, advice: string): string | undefined {
  return isWithoutContent(template) ? `content must not be empty: ${advice}` : undefined;
}

export const TEXT_ADVICE = 'it is the text that is sent';

/** A key as it is stored; undefined if nothing remains of it. */
export function keyOf(rendered: string | undefined): string | undefined {
  return rendered === undefined || rendered === '' ? undefined : rendered.slice(0, MAX_KEY_LENGTH);
}

export const replacesWord = lineWord(
  'Key; a template. A later message with the same key takes the place of the earlier one.',
  {
    title: 'Replaces',
    help: 'A later message with the same key takes the place of the earlier one. Leave it empty if every message stays.',
  },
  'order-{{order.number}}',
);
