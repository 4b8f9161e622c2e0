import type { HttpReply, HttpRequest } from '#libs/http-kit';
import { faultPage } from './link-pages.js';
import { sendPage } from './page-frame.js';
import { pageLanguage } from './page-texts.js';

/** For a link that Herald did not make, or with a key that it no longer has. */
export function sendInvalidLink(reply: HttpReply, { headers }: Pick<HttpRequest, 'headers'>): void {
  sendPage(reply, faultPage('invalid', pageLanguage(undefined, headers['accept-language'])));
}
