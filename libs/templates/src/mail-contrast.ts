/** Of text that is not large, by WCAG 2, level AA. */
const ENOUGH = 4.5;
const ENOUGH_OF_LARGE = 3;
const LARGE_PX = 24;
const LARGE_BOLD_PX = 18.66;
const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;
const RGB = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/i;
const NAMED: Readonly<Record<string, Color>> = { white: [255, 255, 255], black: [0, 0, 0] };
const HEADINGS: Readonly<Record<string, number>> = { h1: 32, h2: 24, h3: 18.72 };

type Color = readonly [red: number, green: number, blue: number];

/** Undefined: not known. */
interface Look {
  readonly color: Color | undefined;
  readonly background: Color | undefined;
  readonly px: number;
  readonly isBold: boolean;
  readonly isHidden: boolean;
}

/** A text that is hard to read. */
export interface LowContrast {
  readonly color: string;
  readonly background: string;
  readonly ratio: number;
}

/** Follows the colors of a mail from element to element, as its style attributes have them. */
export class ContrastWalk {
  private readonly looks: Look[] = [
    { color: [0, 0, 0], background: [255, 255, 255], px: 16, isBold: false, isHidden: false },
  ];

  open(name: string, { style = '', bgcolor, color }: Readonly<Record<string, string>>): void {
    const around = this.looks.at(-1) as Look;
    const rules = rulesOf(style);
    const size = /^([\d.]{1,6})px$/.exec(rules.get('font-size') ?? '')?.[1];
    this.looks.push({
      color: colorOr(rules.get('color') ?? (name === 'font' ? color : undefined), around.color),
      background: colorOr(rules.get('background') ?? rules.get('background-color') ?? bgcolor, around.background),
      px: size === undefined ? (HEADINGS[name] ?? around.px) : Number(size),
      isBold: around.isBold || name in HEADINGS || /^(?:b|strong)$/.test(name) || isBold(rules.get('font-weight')),
      isHidden: around.isHidden || rules.get('display') === 'none' || /^(?:style|script|title)$/.test(name),
    });
  }

  close(): void {
    if (this.looks.length > 1) this.looks.pop();
  }

  /** Of a text that stands here. */
  found(): LowContrast | undefined {
    const { color, background, px, isBold: bold, isHidden } = this.looks.at(-1) as Look;
    if (color === undefined || background === undefined || isHidden) return undefined;
    const ratio = contrastOf(color, background);
    const isLarge = px >= LARGE_PX || (bold && px >= LARGE_BOLD_PX);
    if (ratio >= (isLarge ? ENOUGH_OF_LARGE : ENOUGH)) return undefined;
    return { color: hexOf(color), background: hexOf(background), ratio };
  }
}

/** From 1 to 21. */
function contrastOf(one: Color, other: Color): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(color: Color): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function rulesOf(style: string): Map<string, string> {
  const rules = style.split(';').flatMap((rule) => {
    const colon = rule.indexOf(':');
    return colon < 0 ? [] : [[rule.slice(0, colon).trim().toLowerCase(), valueOf(rule.slice(colon + 1))] as const];
  });
  return new Map(rules);
}

function valueOf(text: string): string {
  return text.replace('!important', '').trim().toLowerCase();
}

/** A color that cannot be read, such as that of a picture, is not known. */
function colorOr(value: string | undefined, inherited: Color | undefined): Color | undefined {
  if (value === undefined || value === '' || /^(?:inherit|transparent|none)$/i.test(value)) return inherited;
  const named = NAMED[value.toLowerCase()];
  if (named !== undefined) return named;
  const rgb = RGB.exec(value);
  if (rgb) return [Number(rgb[1]), Number(rgb[2]), Number(rgb[3])];
  const digits = HEX.exec(value)?.[1];
  if (digits === undefined) return undefined;
  const whole = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  return [0, 2, 4].map((at) => Number.parseInt(whole.slice(at, at + 2), 16)) as unknown as Color;
}

function isBold(weight: string | undefined): boolean {
  return weight === 'bold' || Number(weight) >= 700;
}

function hexOf(color: Color): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
