import { CONSOLE } from '../public-path.js';

/** The id in the address, after `/subscribers/`. The router decodes an address twice, which changes ids that contain a percent sign. */
export function idInAddress(after: string): string {
  const encoded = location.pathname.slice(CONSOLE.length).split(after)[1] ?? '';
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}
