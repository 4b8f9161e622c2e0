import { ArgumentsHost, Catch, ExceptionFilter } from '@nestjs/common';
import type { HttpReply, HttpRequest } from '../request/http-request.js';
import { ErrorAnswers } from './error-answers.js';

/** Answers the errors of handlers, pipes and the router as the pipeline answers its own. */
@Catch()
export class AllExceptionsFilter implements ExceptionFilter {
  constructor(private readonly errors: ErrorAnswers) {}

  catch(thrown: unknown, context: ArgumentsHost): Promise<void> {
    const http = context.switchToHttp();
    return this.errors.answer(thrown, http.getRequest<HttpRequest>(), http.getResponse<HttpReply>());
  }
}
