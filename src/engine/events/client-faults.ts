import { type DescribedError, type ErrorBody, ValidationFailed } from '#libs/http-kit';

/** Texts of validation begin with the path of the field, but for those about the whole body and about how many more there are. */
const PATH = /^(?!the body |\d)[^\s:]+/;

/** Clients of the compatible system read a refused trigger only with its faults one by one. */
export function clientFaults({ code, message }: DescribedError): Pick<ErrorBody, 'type' | 'errors'> {
  const fieldOf = (text: string): string => (code === ValidationFailed.code && PATH.exec(text)?.[0]) || 'general';
  return {
    type: 'PAYLOAD_VALIDATION_ERROR',
    errors: [message].flat().map((text) => ({ field: fieldOf(text), message: text })),
  };
}
