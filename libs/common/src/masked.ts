/** In place of a secret that the caller may not see. */
export const MASKED = '********';
