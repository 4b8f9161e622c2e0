import { Injectable } from '@nestjs/common';
import { distinctAddresses, type EmailMessage, type Mailbox, readMailbox } from '#libs/channels';
import { DETAIL } from '../../../execution-details/index.js';
import type { ActiveIntegration } from '../../../../channels/integrations/index.js';
import type { StepTask } from '../../run/step-handler.js';
import { channelOverrides, overridesOf, textAt, textsAt } from '../overrides.js';
import { StepFailure } from '../provider-channel.js';
import { noteSuppressed, SuppressionGate } from '../suppression-gate.js';

const NO_ADDRESS = 'Subscriber does not have an email address';

type Fields = Pick<EmailMessage, 'to' | 'cc' | 'bcc' | 'replyTo' | 'names'>;

/** Who gets the mails of a step. */
export interface EmailRecipients {
  /** Of the person whose mail it is. */
  readonly address: string;
  /** The recipients of a mail through the provider. */
  of(providerId: string): {
    readonly fields: Fields;
    /** Others get the mail as well. */
    readonly hasOthers: boolean;
    readonly leftOut: readonly { readonly address: string; readonly reason: string }[];
  };
}

export interface NoEmailRecipient {
  readonly address?: undefined;
  readonly error: string;
  readonly isMissing: boolean;
}

/** The one place that decides who a mail goes to: by the overrides, the payload and the subscriber, and by who may be reached. */
@Injectable()
export class EmailRecipientReader {
  constructor(private readonly gate: SuppressionGate) {}

  /** @throws {StepFailure} when an override is no address, or could be taken for several */
  async read(
    task: StepTask,
    integrations: readonly Pick<ActiveIntegration, 'providerId'>[],
  ): Promise<EmailRecipients | NoEmailRecipient> {
    const overrides = overridesOf(task);
    const byProvider = new Map(
      integrations.map(({ providerId }) => [providerId, listsOf(channelOverrides(overrides, 'email', providerId))]),
    );
    const main = mainOf(task);
    if ('error' in main) return main;
    const all = [main, ...[...byProvider.values()].flatMap(({ to, cc, bcc }) => [...to, ...cc, ...bcc])];
    const refused = await this.gate.of(
      task,
      'email',
      all.map(({ address }) => address),
    );
    const reason = refused(main.address);
    if (reason !== undefined) {
      noteSuppressed(task, 'email');
      return { error: `The email address is suppressed: ${reason}`, isMissing: false };
    }
    return {
      address: main.address,
      of: (providerId) => recipientsOf(main, byProvider.get(providerId) ?? NO_LISTS, refused),
    };
  }
}

/** The trail says who was left out of a mail, and why. */
export function noteLeftOut(task: StepTask, { leftOut }: ReturnType<EmailRecipients['of']>): void {
  const { recorder } = task;
  if (leftOut.length === 0 || recorder.details.some(({ detail }) => detail === DETAIL.recipientLeftOut)) return;
  noteSuppressed(task, 'email');
  for (const raw of leftOut) recorder.note(DETAIL.recipientLeftOut, { raw });
}

type Lists = Readonly<Record<'to' | 'cc' | 'bcc' | 'replyTo', readonly Mailbox[]>>;
const NO_LISTS: Lists = { to: [], cc: [], bcc: [], replyTo: [] };

function recipientsOf(
  main: Mailbox,
  lists: Lists,
  refused: (address: string) => string | undefined,
): ReturnType<EmailRecipients['of']> {
  const allowed = (mailboxes: readonly Mailbox[]): Mailbox[] =>
    mailboxes.filter(({ address }) => refused(address) === undefined);
  // Some providers refuse a mail that names an address twice.
  const to = distinctAddresses([main, ...allowed(lists.to)]);
  const cc = distinctAddresses(allowed(lists.cc), to);
  const bcc = distinctAddresses(allowed(lists.bcc), [...to, ...cc]);
  const [replyTo] = lists.replyTo;
  const named = [...to, ...cc, ...bcc, ...(replyTo ? [replyTo] : [])].flatMap(({ address, name }) =>
    name === undefined ? [] : [[address, name] as const],
  );
  const leftOut = distinctAddresses([...lists.to, ...lists.cc, ...lists.bcc]).flatMap(({ address }) => {
    const reason = refused(address);
    return reason === undefined ? [] : [{ address, reason }];
  });
  return {
    fields: {
      to: addressesOf(to),
      ...(cc.length > 0 && { cc: addressesOf(cc) }),
      ...(bcc.length > 0 && { bcc: addressesOf(bcc) }),
      ...(replyTo !== undefined && { replyTo: replyTo.address }),
      ...(named.length > 0 && { names: Object.fromEntries(named) }),
    },
    hasOthers: to.length + cc.length + bcc.length > 1,
    leftOut,
  };
}

function addressesOf(mailboxes: readonly Mailbox[]): string[] {
  return mailboxes.map(({ address }) => address);
}

/** The address of the overrides wins, then that of the payload. */
function mainOf(task: StepTask): Mailbox | NoEmailRecipient {
  const { event, facts } = task.run;
  const { subscriber } = facts;
  const given = textAt(channelOverrides(overridesOf(task), 'email'), 'toRecipient') ?? event.payload['email'];
  if (typeof given === 'string' && given.trim() !== '')
    return oneMailbox(given, 'payload.email or overrides.email.toRecipient');
  if (!subscriber.email) return { error: NO_ADDRESS, isMissing: true };
  return oneMailbox(subscriber.email, "the subscriber's email");
}

function oneMailbox(text: string, place: string): Mailbox | NoEmailRecipient {
  return readMailbox(text) ?? { error: `${place} is not one email address.`, isMissing: false };
}

/** @throws {StepFailure} when an entry is no address, or could be taken for several */
function listsOf(over: Record<string, unknown>): Lists {
  const faults = ['to', 'cc', 'bcc', 'replyTo', 'from'].flatMap((key) => {
    const wrong = textsAt(over, key).some((text) => readMailbox(text) === undefined);
    return wrong ? [`overrides.email.${key} has an entry that is not one email address`] : [];
  });
  if (faults.length > 0) {
    const message = `${faults.join('; ')}. Use a list for several ones.`;
    throw new StepFailure(DETAIL.noChannelDetails, 'invalid_address', message);
  }
  const at = (key: keyof Lists): Mailbox[] => textsAt(over, key).flatMap((text) => readMailbox(text) ?? []);
  return { to: at('to'), cc: at('cc'), bcc: at('bcc'), replyTo: at('replyTo') };
}
