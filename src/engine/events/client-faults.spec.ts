import { describeError, ValidationFailed } from '#libs/http-kit';
import { clientFaults } from './client-faults.js';
import { PayloadIncomplete } from './events.errors.js';

it.each([
  ['to.0.email must be an email', 'to.0.email'],
  ['name is required and must be a string', 'name'],
  ['payload: keys must not begin with $', 'payload'],
  ['the body must be an object', 'general'],
  ['12 further faults are not shown', 'general'],
])("should name the field of '%s'", (message, field) => {
  const { type, errors } = clientFaults(describeError(new ValidationFailed([message])));
  expect({ type, errors }).toEqual({ type: 'PAYLOAD_VALIDATION_ERROR', errors: [{ field, message }] });
});

it('should name no field where the text of the error is not about one', () => {
  const { errors } = clientFaults(describeError(new PayloadIncomplete(['order.number (Value)'])));
  expect(errors).toEqual([
    { field: 'general', message: 'payload is missing required key(s) and type(s): order.number (Value)' },
  ]);
});
