import { ArgumentsHost, Catch, ExceptionFilter } from '@nestjs/common';
import { ErrorAnswers, type HttpReply, type HttpRequest } from '#libs/http-kit';

/** Covers guards, interceptors, pipes, handlers, middleware and the router. */
@Catch()
export class AllExceptionsFilter implements ExceptionFilter {
  constructor(private readonly errors: ErrorAnswers) {}

  catch(thrown: unknown, context: ArgumentsHost): void {
    const http = context.switchToHttp();
    this.errors.answer(thrown, http.getRequest<HttpRequest>(), http.getResponse<HttpReply>());
  }
}
