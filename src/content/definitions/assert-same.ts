import { ValidationFailed } from '#libs/http-kit';

/** @throws {ValidationFailed} for each field whose value differs from that of the path */
export function assertSame(fields: Readonly<Record<string, readonly [sent: string, inPath: string]>>): void {
  const faults = Object.entries(fields)
    .filter(([, [sent, inPath]]) => sent !== inPath)
    .map(([field, [, inPath]]) => `${field} must be '${inPath}', as in the path`);
  if (faults.length > 0) throw new ValidationFailed(faults);
}
