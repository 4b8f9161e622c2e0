/** Whether an address belongs to a link of the navigation. */
export function isWithin(path: string, link: { readonly path: string; readonly below?: readonly string[] }): boolean {
  const beginnings = link.path === '/' ? [] : [link.path];
  if (path === link.path) return true;
  return [...beginnings, ...(link.below ?? [])].some(
    (beginning) => path === beginning || path.startsWith(`${beginning}/`),
  );
}
