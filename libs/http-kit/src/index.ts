export { BodyReader, type BodyRewrite } from './body/body-reader.js';
export { atOnce, type Turns } from './body/turns.js';
export { ApiData, ApiDataArray, ApiDataValue, ApiErrors, ApiPage } from './decorators/api-responses.js';
export { NEEDED_SCOPE, NeedsScope, SCOPE_EXTENSION, scopeOfMethod } from './decorators/needs-scope.js';
export { IS_PUBLIC, Public } from './decorators/public.js';
export { Tenant, type TenantRequest } from './decorators/tenant.js';
export { ErrorBody } from './errors/error-body.response.js';
export { AppException, type AppExceptionOptions } from './errors/app-exception.js';
export { NothingToUpdate, ValidationFailed } from './errors/common.errors.js';
export { defineError } from './errors/define-error.js';
export { describeError, type DescribedError } from './errors/describe-error.js';
export { ThrownErrors } from './errors/thrown-errors.js';
export { answerUnreadableRequests } from './errors/unreadable-requests.js';
export { HttpKitModule } from './http-kit.module.js';
export { AppLogger } from './logging/app-logger.js';
export { lastAnswers } from './middleware/last-answers.js';
export { requestContext } from './middleware/request-context.js';
export { requestLog } from './middleware/request-log.js';
export { PageQuery } from './page.dto.js';
export { Page } from './page.js';
export {
  apiListOf,
  apiOf,
  AsNumber,
  AsSent,
  IsFreeForm,
  IsListOf,
  IsName,
  IsValidBy,
  IsValidInTurnsBy,
  NAME_LENGTH,
  OptionalString,
} from './validation/decorators.js';
export { DeletableRecordResponse, PlainRecordResponse, RecordResponse } from './responses/record.response.js';
export { shower, shown } from './responses/shown.js';
export { limitConnections, skipAborted } from './server/connection-limits.js';
export { findHostileJson, freeForm, operatorKeyFaults, reportOperatorKeys } from './validation/hostile-json.js';
export { type Fields, fieldsOf, ReadBack } from './validation/known-fields.js';
export { WARNING_HEADER, warnOfUnchanged } from './validation/warning-header.js';
export { IdParam } from './validation/object-id.pipe.js';
export { createValidationPipe } from './validation/validation.pipe.js';
