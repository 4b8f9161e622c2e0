import { z } from 'zod';
import { isWebUrl, phoneNumber, readMailbox } from '#libs/channels';
import { custom, described, isGiven, object } from '#libs/validation';
import type { ResolvedWorkflow } from '../../content/workflows/index.js';

const ONE_ADDRESS = 'must be one email address, such as ada@example.com or Ada <ada@example.com>';
const ONE_PHONE = 'must be one phone number, such as +15550100';
const WHOLE_URL = 'must be a whole URL, such as https://chat.example.com/hooks/ada';

const isMailbox = (value: unknown): boolean => isEmpty(value) || (typeof value === 'string' && !!readMailbox(value));
const isPhone = (value: unknown): boolean => isEmpty(value) || (typeof value === 'string' && !!phoneNumber(value));

/** Clients may send these for none. */
function isEmpty(value: unknown): boolean {
  return !isGiven(value) || value === '';
}

const one = (fits: (value: unknown) => boolean, fault: string) =>
  custom(z.string(), (value, report) => {
    const [first, ...more] = Array.isArray(value) ? (value as unknown[]) : [value];
    if (more.length > 0 || !fits(first)) report(fault);
  }).optional();

const severalMailboxes = custom(z.array(z.string()), (value, report) => {
  if (!Array.isArray(value)) return isMailbox(value) ? undefined : report(`${ONE_ADDRESS}, or a list of them`);
  for (const [place, entry] of (value as unknown[]).entries()) if (!isMailbox(entry)) report(ONE_ADDRESS, place);
}).optional();

/** Everything in the overrides of emails that is an address, in those of the channel and of a provider. */
export const EMAIL_ADDRESSES = {
  from: described(one(isMailbox, ONE_ADDRESS), { description: 'Address of the sender.' }),
  replyTo: described(one(isMailbox, ONE_ADDRESS), { description: 'Reply-to address.' }),
  to: described(severalMailboxes, { description: 'Further recipients.' }),
  cc: described(severalMailboxes, { description: 'Recipients of a copy.' }),
  bcc: described(severalMailboxes, { description: 'Recipients of a blind copy.' }),
};

export const TO_RECIPIENT = described(one(isMailbox, ONE_ADDRESS), {
  description: 'Address of the recipient; replaces that of the subscriber.',
});

/** Of the overrides of text messages. */
export const SMS_ADDRESSES = { to: described(one(isPhone, ONE_PHONE), { description: 'Phone number.' }) };

export const phone = z.string({ error: 'must be a string' }).refine(isPhone, ONE_PHONE);

/** Of the credentials of a recipient. */
export const CHAT_ADDRESSES = object({
  webhookUrl: z.string({ error: 'must be a string' }).refine(isChatUrl, WHOLE_URL).nullish(),
});

function isChatUrl(value: unknown): boolean {
  return isEmpty(value) || (typeof value === 'string' && isWebUrl(value));
}

type Values = Readonly<Record<string, unknown>>;

/** What steps read of a payload as an address: such texts are in payloads for other reasons as well, where no step reads them. */
export function payloadAddressFaults({ steps }: Pick<ResolvedWorkflow, 'steps'>, payload: Values): string[] {
  const types = new Set(steps.flatMap(({ active, template }) => (active ? [template['type']] : [])));
  const checks = [
    ['email', 'email', isMailbox, ONE_ADDRESS],
    ['phone', 'sms', isPhone, ONE_PHONE],
    ['webhookUrl', 'chat', isChatUrl, WHOLE_URL],
  ] as const;
  return checks.flatMap(([key, type, fits, fault]) => {
    const value = payload[key];
    const isRead = types.has(type) && typeof value === 'string' && value.trim() !== '';
    return isRead && !fits(value) ? [`payload.${key} ${fault}`] : [];
  });
}
