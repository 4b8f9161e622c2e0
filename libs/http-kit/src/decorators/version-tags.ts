import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { type Observable, tap } from 'rxjs';
import type { HttpReply, HttpRequest } from '../request/http-request.js';

/** Names the version of a record, `__v`, in the header `ETag` of the response. */
@Injectable()
export class VersionTagInterceptor implements NestInterceptor<{ __v: number }> {
  intercept(context: ExecutionContext, next: CallHandler<{ __v: number }>): Observable<{ __v: number }> {
    const reply = context.switchToHttp().getResponse<HttpReply>();
    return next.handle().pipe(tap(({ __v }) => reply.header('ETag', `"${__v}"`)));
  }
}

/** Proxies that compress a response make its tag a weak one. */
const TAG = /^(?:W\/)?"(\d{1,15})"$/;

/** @returns the versions that `If-Match` names; undefined if any version will do */
export function versionsIn(header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const tags = header.split(',').map((tag) => tag.trim());
  if (tags.includes('*')) return undefined;
  return tags.flatMap((tag) => {
    const [, version] = TAG.exec(tag) ?? [];
    return version === undefined ? [] : [Number(version)];
  });
}

const IfMatchHeader = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  versionsIn(context.switchToHttp().getRequest<HttpRequest>().headers['if-match']),
);

/** The versions of which the record must have one, as a handler's argument. */
export function IfMatch(): ParameterDecorator {
  return (target, key, index) => {
    IfMatchHeader()(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key === undefined || descriptor === undefined) return;
    const description = 'The `ETag` of the version to change. If the record has another version, the response is 412.';
    ApiHeader({ name: 'If-Match', required: false, description, schema: { type: 'string', example: '"7"' } })(
      target,
      key,
      descriptor,
    );
  };
}
