export { BodyReader, type BodyRewrite } from './body/body-reader.js';
export { ApiErrors } from './decorators/api-errors.js';
export { ApiData, ApiDataArray, ApiDataValue, ApiLinkedPage, ApiPage } from './decorators/api-responses.js';
export {
  ForAgents,
  ForSubscribers,
  NeedsScope,
  NO_FACTOR_EXTENSION,
  StrictInput,
  Public,
  SCOPE_EXTENSION,
  scopeOfMethod,
  SUBSCRIBER_SECURITY,
  WithoutSecondFactor,
} from './decorators/access.js';
export {
  type Audit,
  Audited,
  type AuditLook,
  type AuditOptions,
  type AuditTold,
  Concealed,
  DEFINITION_EXTENSION,
  isDryRun,
  lookAt,
  NotAudited,
} from './decorators/audited.js';
export { Subscriber, Tenant, TraceParent } from './decorators/tenant.js';
export { HidesUrlSecrets, MASKED, maskedIn, withoutSecrets } from './decorators/url-secrets.js';
export { IfMatch, VersionTagInterceptor } from './decorators/version-tags.js';
export { ErrorBody } from './errors/error-body.response.js';
export { AppException, type AppExceptionOptions } from './errors/app-exception.js';
export { BodyTooLarge, UnsupportedBody } from './body/body.errors.js';
export { NothingToUpdate, ValidationFailed } from './errors/common.errors.js';
export { defineError, type DefinedError } from './errors/define-error.js';
export { describeError, type DescribedError, describeUnavailable } from './errors/describe-error.js';
export { DOCS_PATH, ErrorAnswers, ThrownErrors, UnknownRoutes } from './errors/error-answers.js';
export { HttpKitModule } from './http-kit.module.js';
export { AppLogger } from './logging/app-logger.js';
export { maskAddresses } from './logging/mask-addresses.js';
export { lastAnswers } from './server/connections.js';
export { createHttpPlatform } from './platform/create-http-platform.js';
export { type HttpPlatform, platformOf, type ServedRoute } from './platform/http-platform.js';
export { type CallingSubscriber, type HttpReply, type HttpRequest, pathOf, routeOf } from './request/http-request.js';
export { networkOf } from './request/network-of.js';
export { oncePerRoute, type RouteHandler } from './routing/once-per-route.js';
export { RouteAccess } from './routing/route-access.js';
export { LinkedPageQuery, OrderedBy, PageQuery } from './envelope/page.dto.js';
export { CursorPage, LinkedPage, Page, Rows, writePage } from './envelope/page.js';
export {
  apiListOf,
  apiOf,
  AsNumber,
  AsDeclared,
  AsSent,
  IsFreeForm,
  IsListOf,
  IsName,
  IsValidBy,
  IsValidInTurnsBy,
  NAME_LENGTH,
  isDots,
  OptionalFlag,
  OptionalId,
  OptionalString,
} from './validation/decorators.js';
export { DeletableRecordResponse, PlainRecordResponse, RecordResponse } from './responses/record.response.js';
export { type EveryField, shower, shown } from './responses/shown.js';
export { configureServer } from './server/configure-server.js';
export { publicPathOf } from './request/public-path.js';
export { FieldList, type WithFields } from './validation/field-list.js';
export { OptionalMoment } from './validation/optional-moment.js';
export {
  findHostileJson,
  freeForm,
  operatorKeyFaults,
  queryFault,
  reportOperatorKeys,
} from './validation/hostile-json.js';
export { ANY, type Fields, fieldsOf, ReadBack, type Reads, readsOf, warningsOf } from './validation/unknown-input.js';
export { warn, WARNING_HEADER, warnOfUnchanged } from './validation/warning-header.js';
export { IdParam } from './validation/object-id.pipe.js';
export { createValidationPipe } from './validation/validation.pipe.js';
