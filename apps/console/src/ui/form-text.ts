/** What is in a text field of a form, without blanks around it. */
export function textIn(form: Pick<FormData, 'get'>, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The same with all blanks: a password may have some. */
export function secretIn(form: Pick<FormData, 'get'>, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
