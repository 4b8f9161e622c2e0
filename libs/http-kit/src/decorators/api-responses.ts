import { applyDecorators, Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, type ApiResponseSchemaHost, getSchemaPath } from '@nestjs/swagger';
import { LinkedPageMeta, PageMeta } from '../envelope/page.dto.js';

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
  return respondWithRows(PageMeta, model, options.total === true ? { totalCount: { type: 'integer' } } : {});
}

/** Documents a page of `model` between two cursors. */
export function ApiLinkedPage(model: Model): MethodDecorator {
  return respondWithRows(LinkedPageMeta, model, {});
}

function respondWithRows(meta: Model, model: Model, more: Record<string, SchemaObject>): MethodDecorator {
  const data: SchemaObject = { type: 'array', items: { $ref: getSchemaPath(model) } };
  return applyDecorators(
    ApiExtraModels(model, meta),
    ApiResponse({
      status: 200,
      description: 'One page',
      schema: {
        allOf: [{ $ref: getSchemaPath(meta) }, { type: 'object', required: ['data'], properties: { data, ...more } }],
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
