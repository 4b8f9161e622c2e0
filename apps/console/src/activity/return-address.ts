let search = '';

/** Remembers the filters of the list for the way back to it. */
export function rememberActivity(parameters: URLSearchParams): void {
  search = parameters.toString();
}

/** The address of the list as it was shown last. */
export function activityReturn(): string {
  return search === '' ? '/activity' : `/activity?${search}`;
}
