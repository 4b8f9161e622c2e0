/** The text of a mail's HTML. Parsing a document runs nothing and loads nothing. */
export function textOfHtml(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const hidden of page.querySelectorAll('script, style, title')) hidden.remove();
  for (const block of page.querySelectorAll('p, div, h1, h2, h3, h4, li, tr, br, table')) block.append('\n');
  return (page.body.textContent ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line, at, lines) => line !== '' || (at > 0 && lines[at - 1] !== ''))
    .join('\n')
    .trim();
}
