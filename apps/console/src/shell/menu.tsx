import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { MAIN_LINKS, NAVIGATION, type NavigationLink } from '../pages.js';
import { useSession } from '../session.js';
import { isWithin } from './is-within.js';

const SHAPES: Readonly<Record<string, VNode>> = {
  home: <path d="M2 7.5 8 2l6 5.5V14H9.5v-4h-3v4H2z" />,
  activity: <path d="M1.5 8h3l2-5 3 10 2-5h3" />,
  workflows: <path d="M2 2h4.5v4H2zM9.5 10H14v4H9.5zM4.25 6v6H9.5" />,
  people: (
    <path d="M6 7.5a2.75 2.75 0 1 0 0-5.5 2.75 2.75 0 0 0 0 5.5zM1.5 14c0-3 2-4.5 4.5-4.5s4.5 1.5 4.5 4.5M11 2.5a2.5 2.5 0 0 1 0 5M12.5 10c1.3.7 2 2 2 4" />
  ),
  deliveries: <path d="M14.5 1.5 7 9M14.5 1.5 10 14.5 7 9 1.5 6z" />,
  content: <path d="M3 1.5h6.5L13 5v9.5H3zM9.5 1.5V5H13M5.5 8.5h5M5.5 11.5h5" />,
  audience: <path d="M8 14.5A6.5 6.5 0 1 0 8 1.5a6.5 6.5 0 0 0 0 13zM8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z" />,
  plugins: <path d="M6 2v3M10 2v3M3.5 5h9v3a4.5 4.5 0 0 1-9 0zM8 12.5v2" />,
  settings: <path d="M2 4.5h6M11 4.5h3M2 11.5h3M8 11.5h6M9.5 2.75v3.5M6.5 9.75v3.5" />,
};

/** A small picture; the word next to it says the same. */
function Icon({ name }: { name: string }): VNode {
  return (
    <svg class="channel-glyph" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {SHAPES[name]}
    </svg>
  );
}

/** The links of the console. A group opens with a page of it, and stays as it was left. */
export function MenuLinks(): VNode {
  const [path] = useLocation();
  return (
    <>
      <ul>
        {MAIN_LINKS.map((link) => (
          <MenuLink key={link.path} link={link} path={path} />
        ))}
      </ul>
      {NAVIGATION.map((group) => (
        <Group key={group.name} group={group} path={path} />
      ))}
    </>
  );
}

function Group({ group: { name, icon, links }, path }: { group: (typeof NAVIGATION)[number]; path: string }): VNode {
  const isProduction = useSession().environment._parentId !== undefined;
  const isHere = links.some((link) => isWithin(path, link));
  const [isOpen, setOpen] = useState(isHere);
  useEffect(() => {
    if (isHere) setOpen(true);
  }, [isHere]);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name={icon} /> {name}
      </summary>
      <ul>
        {links
          .filter(({ isForDevelopment }) => !(isForDevelopment && isProduction))
          .map((link) => (
            <MenuLink key={link.path} link={link} path={path} />
          ))}
      </ul>
    </details>
  );
}

function MenuLink({ link, path }: { link: NavigationLink; path: string }): VNode {
  return (
    <li>
      <Link href={link.path} aria-current={isWithin(path, link) ? 'page' : undefined}>
        {link.icon !== undefined && <Icon name={link.icon} />}
        {link.label}
      </Link>
    </li>
  );
}
