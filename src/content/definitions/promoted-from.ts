import type { IncomingHttpHeaders } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { type HttpRequest, ValidationFailed } from '#libs/http-kit';

const HEADER = 'Herald-Promoted-From';
const TEXT = /^[^\p{C}]{1,200}$/u;

/**
 * What a request says it promotes, such as `Development (version 4)`; undefined if it is no promotion.
 * @throws {ValidationFailed}
 */
export function promotedFrom(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers[HEADER.toLowerCase()];
  if (sent === undefined) return undefined;
  const text = decoded(String(sent)).trim();
  if (!TEXT.test(text)) {
    throw new ValidationFailed([`${HEADER} must be a percent-encoded text of 1 to 200 characters without line breaks`]);
  }
  return text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

const PromotedFromHeader = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  promotedFrom(context.switchToHttp().getRequest<HttpRequest>().headers),
);

/** What the request says it promotes, as a handler's argument. */
export function PromotedFrom(): ParameterDecorator {
  return (target, key, index) => {
    PromotedFromHeader()(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key === undefined || descriptor === undefined) return;
    const description =
      'Says that this is a promotion, and from where, such as `Development (version 4)`, percent-encoded. Read-only environments accept it, and the new version has it as its note.';
    ApiHeader({ name: HEADER, required: false, description, schema: { type: 'string', maxLength: 200 } })(
      target,
      key,
      descriptor,
    );
  };
}
