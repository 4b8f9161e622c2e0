import type { Message } from './message.schema.js';

/** What a summary has of a message as it is stored. */
const PLAIN = [
  'templateIdentifier',
  'transactionId',
  'channel',
  'providerId',
  'identifier',
  'subject',
  'title',
  'email',
  'phone',
  'status',
  'errorId',
  'errorText',
  'seen',
  'read',
  'lastSeenDate',
  'lastReadDate',
  'lastActionDate',
  'tags',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof Message)[];

/** What a summary has of a message as text. */
const IDS = [
  '_id',
  '_organizationId',
  '_environmentId',
  '_notificationId',
  '_templateId',
  '_subscriberId',
] as const satisfies readonly (keyof Message)[];

type Action = NonNullable<NonNullable<Message['cta']>['action']>;

/** A message without its content and payload, with ids as text; what is not set is absent. */
export type MessageSummary = Pick<Message, (typeof PLAIN)[number]> &
  Record<(typeof IDS)[number], string> & {
    /** What became of the buttons. */
    readonly action?: Pick<Action, 'status' | 'result'>;
  };

export const SUMMARY_FIELDS: Readonly<Record<string, 1>> = Object.fromEntries(
  [...IDS, ...PLAIN, 'cta.action.status', 'cta.action.result'].map((field) => [field, 1]),
);

export function toSummary(row: Message): MessageSummary {
  const ids = IDS.map((key): [string, string] => [key, row[key].toHexString()]);
  const plain = PLAIN.map((key) => [key, row[key]] as const).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  const { status, result } = row.cta?.action ?? {};
  return {
    ...Object.fromEntries([...ids, ...plain]),
    ...(status !== undefined && result !== undefined && { action: { status, result } }),
  } as MessageSummary;
}
