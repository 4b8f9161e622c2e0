/** The form of a page as a browser would send it, with what a person may choose. */
export class HtmlForm {
  private constructor(
    private readonly fields: { name: string; value: string; isOn: boolean; isChoice: boolean }[],
    readonly options: ReadonlyMap<string, readonly string[]>,
  ) {}

  static of(html: string): HtmlForm {
    const fields = [...html.matchAll(/<input\b[^>]*>/g)].map(([tag]) => ({
      name: attribute(tag, 'name'),
      value: attribute(tag, 'value'),
      isOn: !tag.includes('type="checkbox"') || / checked(?=[\s>])/.test(tag),
      isChoice: tag.includes('type="checkbox"'),
    }));
    const options = new Map<string, string[]>();
    for (const [, name = '', body = ''] of html.matchAll(/<select name="([^"]+)">(.*?)<\/select>/gs)) {
      const tags = [...body.matchAll(/<option\b[^>]*>/g)].map(([tag]) => tag);
      options.set(
        name,
        tags.map((tag) => attribute(tag, 'value')),
      );
      const selected = tags.find((tag) => / selected(?=[\s>])/.test(tag)) ?? tags[0] ?? '';
      fields.push({ name, value: attribute(selected, 'value'), isOn: true, isChoice: false });
    }
    return new HtmlForm(fields, options);
  }

  /** Whether a checkbox is checked; undefined: there is none. */
  isChecked(name: string, value: string): boolean | undefined {
    return this.fields.find((field) => field.isChoice && field.name === name && field.value === value)?.isOn;
  }

  check(name: string, value: string, isOn: boolean): this {
    const field = this.fields.find((one) => one.isChoice && one.name === name && one.value === value);
    if (field === undefined) throw new Error(`The page has no checkbox ${name}=${value}.`);
    field.isOn = isOn;
    return this;
  }

  fill(name: string, value: string, place = 0): this {
    const field = this.fields.filter((one) => one.name === name)[place];
    if (field === undefined) throw new Error(`The page has no field ${name}.`);
    field.value = value;
    return this;
  }

  valueOf(name: string): string | undefined {
    return this.fields.find((field) => field.name === name)?.value;
  }

  /** @param button name and value of the button that is pressed, if it has some */
  body(button?: [name: string, value: string]): string {
    const sent = this.fields.filter(({ isOn }) => isOn).map(({ name, value }): [string, string] => [name, value]);
    return new URLSearchParams([...sent, ...(button ? [button] : [])]).toString();
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  '#x3D': '=',
  '#x60': '`',
};

function attribute(tag: string, name: string): string {
  const text = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  return text.replace(/&([#\w]+);/g, (whole, entity: string) => ENTITIES[entity] ?? whole);
}
