import { applyDecorators, Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, type ApiResponseSchemaHost, getSchemaPath } from '@nestjs/swagger';
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
