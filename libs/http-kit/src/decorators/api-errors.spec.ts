import { Controller, Delete, Get } from '@nestjs/common';
import { defineError } from '../errors/define-error.js';
import { ApiErrors } from './api-errors.js';

const ThingNotFound = defineError(404, 'thing_not_found', (id: string) => `There is no thing '${id}'.`, ['{thingId}']);
const BoxNotFound = defineError(404, 'box_not_found', 'There is no box.');
const ThingInUse = defineError(409, 'thing_in_use', 'The thing is in use.');

@ApiErrors(BoxNotFound)
@Controller('things')
class ThingsController {
  @Get()
  list(): void {}

  @Delete()
  @ApiErrors(ThingInUse, ThingNotFound)
  remove(): void {}

  @Get('older')
  @ApiErrors(410)
  older(): void {}

  helper(): void {}
}

/** Where @nestjs/swagger keeps the responses of a handler. */
const RESPONSES = 'swagger/apiResponse';

type Responses = Record<string, { content: { 'application/json': { examples: Record<string, { value: object }> } } }>;

const examplesOf = (method: keyof ThingsController): object => {
  const responses = Reflect.getMetadata(RESPONSES, ThingsController.prototype[method]) as Responses;
  return Object.fromEntries(
    Object.entries(responses).map(([status, { content }]) => [status, content['application/json'].examples]),
  );
};

describe('ApiErrors', () => {
  it('should document an example of each error by status', () => {
    expect(examplesOf('remove')).toEqual({
      404: {
        thing_not_found: {
          value: {
            statusCode: 404,
            message: "There is no thing '{thingId}'.",
            error: 'Not Found',
            code: 'thing_not_found',
          },
        },
        box_not_found: {
          value: { statusCode: 404, message: 'There is no box.', error: 'Not Found', code: 'box_not_found' },
        },
      },
      409: {
        thing_in_use: {
          value: { statusCode: 409, message: 'The thing is in use.', error: 'Conflict', code: 'thing_in_use' },
        },
      },
    });
  });

  it('should add the errors of the controller to all its routes, and to nothing else', () => {
    expect(examplesOf('list')).toMatchObject({ 404: { box_not_found: {} } });
    expect(Reflect.hasMetadata(RESPONSES, ThingsController.prototype.helper)).toBe(false);
  });

  it('should take statuses, as plugins of older versions declare them', () => {
    expect(examplesOf('older')).toMatchObject({ 410: {} });
  });
});
