import { z } from 'zod';
import { optionalText } from './setting-kinds.js';

/** The SMTP server of the operator. */
export interface MailServer {
  readonly host: string;
  readonly port: string;
  /** TLS from the first byte; otherwise STARTTLS, where the server offers it. */
  readonly secure: boolean;
  readonly user?: string;
  readonly password?: string;
}

/** `smtp://user:password@host:587`, or `smtps://`. Undefined if it is none. */
function mailServerOf(text: string): MailServer | undefined {
  const { protocol, hostname, port, username, password, pathname, search, hash } = URL.canParse(text)
    ? new URL(text)
    : ({} as Partial<URL>);
  const isSecure = protocol === 'smtps:';
  if (!isSecure && protocol !== 'smtp:') return undefined;
  const more = `${pathname === '/' ? '' : pathname}${search}${hash}`;
  if (!hostname || more !== '' || (username === '') !== (password === '')) return undefined;
  try {
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port || (isSecure ? '465' : '587'),
      secure: isSecure,
      ...(username && { user: decodeURIComponent(username), password: decodeURIComponent(password ?? '') }),
    };
  } catch {
    return undefined; // a stray percent sign
  }
}

export const mailServer = optionalText
  .refine(
    (text) => text === undefined || mailServerOf(text) !== undefined,
    'must be like smtp://user:password@mail.example.com:587, or smtps://; encode special characters of the password',
  )
  .transform((text) => (text === undefined ? undefined : mailServerOf(text)));

export const mailSender = optionalText.pipe(
  z
    .string()
    .regex(
      /^(?:[^\s<>@]+@[^\s<>@]+|[^<>@\r\n]+ <[^\s<>@]+@[^\s<>@]+>)$/,
      'must be an address such as herald@example.com, or Herald <herald@example.com>',
    )
    .optional(),
);

interface MailSettings {
  readonly SYSTEM_MAIL_URL?: MailServer | undefined;
  readonly SYSTEM_MAIL_FROM?: string | undefined;
}

export function faultsOfMail({ SYSTEM_MAIL_URL, SYSTEM_MAIL_FROM }: MailSettings): string[] {
  if (SYSTEM_MAIL_URL === undefined)
    return SYSTEM_MAIL_FROM === undefined
      ? []
      : ['SYSTEM_MAIL_FROM: nothing is sent without SYSTEM_MAIL_URL. Set both.'];
  return SYSTEM_MAIL_FROM === undefined ? ['SYSTEM_MAIL_FROM: must be set with SYSTEM_MAIL_URL.'] : [];
}
