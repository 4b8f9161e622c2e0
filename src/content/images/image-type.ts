/** What all mail programs show, by its first bytes. Without SVG, which can hold scripts. */
const SIGNATURES = {
  'image/png': (bytes: Buffer): boolean => bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n',
  'image/jpeg': (bytes: Buffer): boolean => bytes.subarray(0, 3).toString('hex') === 'ffd8ff',
  'image/gif': (bytes: Buffer): boolean => /^GIF8[79]a$/.test(bytes.subarray(0, 6).toString('latin1')),
} as const;

export type ImageType = keyof typeof SIGNATURES;
export const IMAGE_TYPES = Object.keys(SIGNATURES) as ImageType[];
const MAX_IMAGE_BYTES = 500_000;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  return IMAGE_TYPES.find((type) => SIGNATURES[type](bytes));
}

/** Why a text is no picture in base64. */
export function imageFaults(file: unknown, path: string): string[] {
  if (typeof file !== 'string' || file.length % 4 !== 0 || !BASE64.test(file)) return [`${path} must be base64`];
  const bytes = Buffer.from(file, 'base64');
  if (bytes.length > MAX_IMAGE_BYTES) return [`${path} must have at most ${MAX_IMAGE_BYTES} bytes`];
  return imageTypeOf(bytes) === undefined ? [`${path} must be a picture: PNG, JPEG or GIF`] : [];
}
