import { Injectable } from '@nestjs/common';
import { BodyReader, type HttpReply, type HttpRequest } from '#libs/http-kit';
import { ONE_CLICK_FIELD, ONE_CLICK_VALUE } from './link-pages.js';
import type { LinkAction } from './unsubscribes.service.js';

const ONE_CLICK_BYTES = 16_384;
/** All workflows that a page shows, with all channels. */
const FORM_BYTES = 262_144;

@Injectable()
export class FormBodies {
  constructor(private readonly bodies: BodyReader) {}

  /** @throws {BodyTooLarge} */
  read(request: HttpRequest, reply: HttpReply): Promise<URLSearchParams> {
    return this.bodies.readForm(request, reply.raw, FORM_BYTES);
  }

  /** Of mail programs, which may also send it in parts, or of a page. @throws {BodyTooLarge} */
  async readAction(request: HttpRequest, reply: HttpReply): Promise<LinkAction | undefined> {
    const bytes = await this.bodies.readRaw(request, reply.raw, ONE_CLICK_BYTES);
    const text = bytes.toString('utf8');
    if (/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) {
      return isOneClickPart(text) ? { kind: 'unsubscribe', via: 'one-click' } : undefined;
    }
    const form = new URLSearchParams(text);
    if (form.get(ONE_CLICK_FIELD) === ONE_CLICK_VALUE) {
      return { kind: 'unsubscribe', via: form.get('from') === 'page' ? 'page' : 'one-click' };
    }
    return form.get('action') === 'subscribe' ? { kind: 'subscribe' } : undefined;
  }
}

const PART =
  /content-disposition: *form-data; *name="List-Unsubscribe"[^\r\n]{0,200}\r?\n(?:[^\r\n]{1,200}\r?\n){0,5}\r?\nOne-Click\r?\n--/i;

function isOneClickPart(text: string): boolean {
  return PART.test(text);
}
