import { type EmailMessage, findProvider, isInline, type OutboundMessage } from '#libs/channels';
import { DETAIL } from '../../execution-details/index.js';
import type { StepTask } from '../run/step-handler.js';

/** The trail names what a message has and its provider does not take. */
export function noteNotSent(task: StepTask, providerId: string, message: OutboundMessage): void {
  const { recorder } = task;
  const fields = notTaken(providerId, message);
  const isKnown = recorder.details.some((one) => one.detail === DETAIL.fieldsNotSent && one.providerId === providerId);
  if (fields.length > 0 && !isKnown) recorder.note(DETAIL.fieldsNotSent, { providerId, raw: { providerId, fields } });
}

function notTaken(providerId: string, message: OutboundMessage): string[] {
  const declared = findProvider(providerId, message.channel);
  if (declared === undefined) return [];
  const { supports, ownFields, storedTemplate } = declared;
  if (message.channel === 'sms') return ownFields === undefined ? Object.keys(message.customData ?? {}) : [];
  if (message.channel === 'push') {
    const { only } = ownFields ?? {};
    const options = only === undefined ? [] : Object.keys(message.overrides ?? {}).filter((key) => !only.includes(key));
    return message.replaces === undefined || supports.replaces === true ? options : [...options, 'replaces'];
  }
  if (message.channel !== 'email') return [];
  const data = Object.keys(message.customData ?? {}).filter((key) => !Object.hasOwn(storedTemplate?.data ?? {}, key));
  return [
    ...(supports.customData === true ? [] : data.map((key) => `customData.${key}`)),
    ...(supports.ipPools === true || message.ipPoolName === undefined ? [] : ['ipPoolName']),
    ...(supports.inline === true ? [] : inlineOf(message)),
    ...(ownFields === undefined ? Object.keys(message.overrides ?? {}) : []),
  ];
}

function inlineOf({ attachments = [] }: EmailMessage): string[] {
  return attachments.flatMap((file) => (isInline(file) ? [`attachments: ${file.cid ?? file.name}`] : []));
}
