/** The page that an address names, from 0. */
export function pageOf(parameters: URLSearchParams): number {
  const page = Number(parameters.get('page') ?? 0);
  return Number.isInteger(page) && page > 0 ? page : 0;
}

/** The parameters of an address with another page. */
export function withPage(parameters: URLSearchParams, page: number): URLSearchParams {
  const next = new URLSearchParams(parameters);
  next.delete('page');
  if (page > 0) next.set('page', String(page));
  return next;
}
