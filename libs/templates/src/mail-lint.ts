import { Parser } from 'htmlparser2';
import { ContrastWalk } from './mail-contrast.js';

export const MAIL_WARNINGS = ['image_without_alt', 'link_without_target', 'low_contrast', 'too_large'] as const;

/** What is likely to be wrong with a mail that can be sent. */
export interface MailWarning {
  readonly code: (typeof MAIL_WARNINGS)[number];
  readonly message: string;
}

/** Gmail cuts what comes after, the link to unsubscribe among it. */
const MAX_BYTES = 102 * 1_024;
/** Characters; what is longer is too large, and not looked at further. */
const MAX_READ = 200_000;
const MAX_SHOWN = 100;
const NOWHERE: ReadonlySet<string> = new Set(['', '#', 'http://', 'https://', 'mailto:', 'tel:']);

/** In the order of the HTML; what is the same is told once. */
export function lintMail(html: string): MailWarning[] {
  const messages = new Map<string, MailWarning['code']>();
  const colors = new ContrastWalk();
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const { alt, src = '', href, ...rest } = attributes;
      colors.open(name, attributes);
      if (name === 'img' && alt === undefined) {
        messages.set(
          `The image ${shortened(src)} has no alternative text, which readers without images see.`,
          'image_without_alt',
        );
      }
      const isPlace = href === undefined && (rest['name'] !== undefined || rest['id'] !== undefined);
      if (name === 'a' && !isPlace && NOWHERE.has((href ?? '').trim())) {
        messages.set(`A link leads nowhere: its address is "${shortened(href ?? '')}".`, 'link_without_target');
      }
    },
    onclosetag: () => colors.close(),
    ontext: (text) => {
      const low = text.trim() === '' ? undefined : colors.found();
      if (low === undefined) return;
      const { color, background, ratio } = low;
      messages.set(
        `Text in ${color} on ${background} is hard to read: its contrast is ${ratio.toFixed(1)}, and should be 4.5.`,
        'low_contrast',
      );
    },
  });
  parser.end(html.slice(0, MAX_READ));
  const bytes = Buffer.byteLength(html);
  if (bytes > MAX_BYTES) {
    messages.set(`The mail has ${Math.ceil(bytes / 1_024)} kB. Gmail cuts mails after 102 kB.`, 'too_large');
  }
  return [...messages].map(([message, code]) => ({ code, message }));
}

function shortened(url: string): string {
  return url.length > MAX_SHOWN ? `${url.slice(0, MAX_SHOWN)}…` : url;
}
