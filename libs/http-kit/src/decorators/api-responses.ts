import { applyDecorators, Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, type ApiResponseSchemaHost, getSchemaPath } from '@nestjs/swagger';
import { ErrorBody } from '../errors/error-body.response.js';
import { PageMeta } from '../envelope/page.dto.js';

type Model = Type<unknown>;
type SchemaObject = ApiResponseSchemaHost['schema'];

/** Documents a success whose `data` is one `model`. */
export function ApiData(status: number, model: Model, description = 'Success'): MethodDecorator {
  return respondWith(status, model, description, { $ref: getSchemaPath(model) });
}

/** Documents a success whose `data` is an array of `model`. */
export function ApiDataArray(status: number, model: Model, description = 'Success'): MethodDecorator {
  return respondWith(status, model, description, { type: 'array', items: { $ref: getSchemaPath(model) } });
}

/** Documents a success whose `data` is a plain value. */
export function ApiDataValue(status: number, schema: SchemaObject, description = 'Success'): MethodDecorator {
  return ApiResponse({
    status,
    description,
    schema: { type: 'object', required: ['data'], properties: { data: schema } },
  });
}

/** Documents one page of `model`. @param options.total adds `totalCount` */
export function ApiPage(model: Model, options: { total?: boolean } = {}): MethodDecorator {
  const total: Record<string, SchemaObject> = options.total === true ? { totalCount: { type: 'integer' } } : {};
  const data: SchemaObject = { type: 'array', items: { $ref: getSchemaPath(model) } };
  return applyDecorators(
    ApiExtraModels(model, PageMeta),
    ApiResponse({
      status: 200,
      description: 'One page',
      schema: {
        allOf: [
          { $ref: getSchemaPath(PageMeta) },
          { type: 'object', required: ['data'], properties: { data, ...total } },
        ],
      },
    }),
  );
}

const TEXTS: Record<number, string> = {
  400: 'The input is not valid; `message` lists every fault with its path',
  401: 'The API key is missing, unknown, revoked or expired',
  403: 'The API key lacks the scope that the operation needs, or the request reaches beyond its rights',
  404: 'There is no such record in this environment',
  409: 'It clashes with an existing record',
  413: 'The body is larger than the limit of the route',
  415: 'The body is not JSON',
  422: 'The request is understood but cannot be carried out',
  429: 'Too many requests; Retry-After says when to try again',
  503: 'The store is temporarily unavailable',
};

/** Documents error responses. 401 and 503 are added to every route. */
export function ApiErrors(...statuses: number[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ApiExtraModels(ErrorBody),
    ...statuses.map((status) => ApiResponse({ status, description: TEXTS[status] ?? 'Error', type: ErrorBody })),
  );
}

function respondWith(
  status: number,
  model: Model,
  description: string,
  data: SchemaObject | { $ref: string },
): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(model),
    ApiResponse({ status, description, schema: { type: 'object', required: ['data'], properties: { data } } }),
  );
}
