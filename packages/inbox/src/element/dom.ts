type Child = Node | string | undefined | false;
type Props = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** Makes an element. Functions are listeners of the event with their name, all else are attributes. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else setAttribute(element, name, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

export function setAttribute(element: Element, name: string, value: string | number | boolean | undefined): void {
  if (value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value))
    element.setAttribute(name, value === true ? '' : String(value));
}

const ICONS = {
  bell: 'M6 16h12l-1.5-2.5V10a4.5 4.5 0 0 0-9 0v3.5zM10 19a2 2 0 0 0 4 0',
  read: 'M4 12.5l5 5L20 6.5',
  unread: 'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8',
  archive: 'M4 5h16v4H4zM6 9v10h12V9M10 13h4',
  unarchive: 'M4 5h16v4H4zM6 9v10h12V9M12 17v-5m-2.5 2L12 11.5l2.5 2.5',
  snooze: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 8v4.5l3 2',
  unsnooze: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 8v4.5l3 2M4 4l16 16',
  preferences:
    'M4 7h9m4 0h3M4 17h3m4 0h9M15 4.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5M9 14.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5',
  back: 'M14.5 5.5L8 12l6.5 6.5',
  close: 'M6 6l12 12M18 6L6 18',
  add: 'M12 5v14M5 12h14',
  info: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 11v5M12 8v.1',
  warning: 'M12 4.5l8.5 15h-17zM12 10v4.5M12 17v.1',
  error: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M9 9l6 6M15 9l-6 6',
  success: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M8.5 12l2.5 2.5l4.5-5',
  up: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M12 16V8.5m-3.5 3L12 8l3.5 3.5',
  question: 'M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16M9.5 10a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5v.1',
} as const;

export type IconName = keyof typeof ICONS;

export function icon(name: IconName): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const path = document.createElementNS(svg.namespaceURI ?? '', 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  for (const [key, value] of [
    ['viewBox', '0 0 24 24'],
    ['aria-hidden', 'true'],
    ['class', name],
  ] as const) {
    svg.setAttribute(key, value);
  }
  return svg;
}

/** A button that shows an icon only. */
export function iconButton(
  name: IconName,
  label: string,
  click: (event: Event) => void,
  part = 'tool',
): HTMLButtonElement {
  return h('button', { type: 'button', class: 'icon', part, 'aria-label': label, title: label, click }, icon(name));
}
