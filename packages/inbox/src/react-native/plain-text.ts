/** All that Herald leaves in sanitized HTML. */
const ENTITIES: ReadonlyMap<string, string> = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"' }));

/** The body of a notification, which is HTML, as `<Text>` shows it: what stands in blocks there is on lines of its own. */
export function plainText(html: string): string {
  return html
    .replace(/<(?:br|\/p|\/div|\/li|\/tr|\/h\d|\/blockquote|\/pre)\b[^<>]*>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/&(\w+);/g, (entity, name: string) => ENTITIES.get(name) ?? entity)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
