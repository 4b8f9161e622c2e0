import request from 'supertest';
import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import type { StoppedHerald, TestSession } from '../harness/index.js';
import { clientOf } from './client.js';
import { createWorkflow, email, type SentEvent, smtpIntegration, trigger } from './delivery.js';

/** Where the API under test says that it is: links of mails begin with it. */
export const PUBLIC_URL = 'https://mail.example/herald';

interface SentMail {
  readonly raw: string;
  readonly transactionId: string;
  /** Path of the link in `List-Unsubscribe`, as the API under test knows it. */
  readonly oneClick: string | undefined;
  /** Path of the first link with this word in it, such as `preferences`. */
  link(word: string): string;
}

/** A mail that a provider took, with its links. */
export interface MailSender {
  readonly smtp: SmtpCatcher;
  send(session: TestSession, options?: MailToSend): Promise<SentMail & { readonly workflow: WorkflowOfMail }>;
  close(): Promise<void>;
}

type WorkflowOfMail = Awaited<ReturnType<typeof createWorkflow>>;

interface MailToSend {
  readonly content?: string;
  readonly workflow?: Record<string, unknown>;
  readonly to?: Parameters<typeof trigger>[1]['to'];
  readonly overrides?: NonNullable<SentEvent['overrides']>;
  readonly tenant?: string;
  /** With what its links begin, if not with {@link PUBLIC_URL}. */
  readonly address?: string;
  /** Sends another mail of a workflow that exists. */
  readonly again?: WorkflowOfMail;
}

export const ADA = { subscriberId: 'ada', email: 'ada@example.com', firstName: 'Ada' };

export async function startMailSender(delivery: Pick<StoppedHerald, 'drain'>): Promise<MailSender> {
  const smtp = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
  return {
    smtp,
    close: () => smtp.close(),
    send: async (
      session,
      { content = '<p>Hello</p>', workflow: fields, to = ADA, overrides, tenant, address, again } = {},
    ) => {
      const known = await clientOf(session).integrations.listIntegrations();
      if (known.every(({ providerId }) => providerId !== 'nodemailer')) await smtpIntegration(session, smtp.port);
      const workflow = again ?? (await createWorkflow(session, [email('Order', content)], fields));
      const before = smtp.raw.length;
      const more = { ...(overrides && { overrides }), ...(tenant !== undefined && { tenant }) };
      const transactionId = await trigger(session, { name: workflow.identifier, to, ...more });
      await delivery.drain();
      const raw = smtp.raw[before];
      if (raw === undefined) throw new Error('No mail was sent.');
      return { raw, transactionId, workflow, ...linksOf(raw, address) };
    },
  };
}

function linksOf(raw: string, address = PUBLIC_URL): Pick<SentMail, 'oneClick' | 'link'> {
  const text = raw.replace(/\r\n[ \t]+/g, ' ').replace(/=\r\n/g, '');
  const header = /^List-Unsubscribe: *<([^>]+)>/im.exec(text)?.[1];
  return {
    oneClick: header?.startsWith('http') === true ? pathOf(header, address) : undefined,
    link: (word) => {
      const found = new RegExp(`${address}/${word}/[\\w-]+`).exec(text)?.[0];
      if (found === undefined) throw new Error(`The mail has no link to '${word}'.`);
      return pathOf(found, address);
    },
  };
}

function pathOf(url: string, address: string): string {
  if (!url.startsWith(`${address}/`)) throw new Error(`The link ${url} leads elsewhere.`);
  return url.slice(address.length);
}

/** As a mail program does it: without a key and without cookies. */
export function postForm(api: { readonly url: string }, path: string, body: string): request.Test {
  return request(api.url).post(path).type('application/x-www-form-urlencoded').send(body);
}

export const ONE_CLICK = 'List-Unsubscribe=One-Click';
