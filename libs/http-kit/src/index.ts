export { ApiData, ApiDataArray, ApiDataValue, ApiErrors, ApiPage } from './decorators/api-responses.js';
export { IS_PUBLIC, Public } from './decorators/public.js';
export { Tenant, type TenantRequest } from './decorators/tenant.js';
export { ErrorBody } from './errors/error-body.response.js';
export { AppException, type AppExceptionOptions, ValidationFailed } from './errors/app-exception.js';
export { describeError, type DescribedError } from './errors/describe-error.js';
export { answerUnreadableRequests } from './errors/unreadable-requests.js';
export { HttpKitModule } from './http-kit.module.js';
export { AppLogger } from './logging/app-logger.js';
export { jsonBody, type RawBodyRequest } from './middleware/body-parser.js';
export { lastAnswers } from './middleware/last-answers.js';
export { currentRequestId, requestContext } from './middleware/request-context.js';
export { requestLog } from './middleware/request-log.js';
export { PageQuery } from './page.dto.js';
export { Page } from './page.js';
export {
  AsSent,
  IsFreeForm,
  IsListOf,
  IsName,
  IsValidBy,
  NAME_LENGTH,
  OptionalString,
} from './validation/decorators.js';
export { findOperatorKeys } from './validation/hostile-json.js';
export { IdParam } from './validation/object-id.pipe.js';
export { createValidationPipe } from './validation/validation.pipe.js';
