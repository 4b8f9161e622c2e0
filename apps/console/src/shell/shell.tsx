import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useSession } from '../session.js';
import { useRemembered } from '../ui/remembered.js';
import { MenuLinks } from './menu.js';
import { SearchField } from './search-field.js';

const DENSITIES = ['comfortable', 'compact'] as const;

/** The frame of every page: skip link, navigation, the environment of the key. */
export function Shell({ children }: { children: ComponentChildren }): VNode {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  useLayoutEffect(() => setOpen(false), [path]);
  const skip = (event: Event): void => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={skip}>
        Skip to content
      </a>
      <header class="bar">
        <span class="brand">
          <Mark /> Herald
        </span>
        <button
          type="button"
          class="menu-button"
          aria-expanded={isOpen}
          aria-controls="menu"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
        <nav id="menu" class={isOpen ? 'menu open' : 'menu'} aria-label="Console">
          <Environment />
          <SearchField />
          <MenuLinks />
          <Who path={path} />
        </nav>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function Who({ path }: { path: string }): VNode {
  const { organization, person, signOut } = useSession();
  return (
    <div class="who">
      <span class="who-organization">{organization.name}</span>
      {person && (
        <Link href="/account" aria-current={path === '/account' ? 'page' : undefined}>
          {person.known.name}
        </Link>
      )}
      <Density />
      <button type="button" class="quiet" onClick={signOut}>
        Sign out
      </button>
    </div>
  );
}

/** How close rows of tables stand. */
function Density(): VNode {
  const [density, setDensity] = useRemembered('tables', DENSITIES, 'comfortable');
  useLayoutEffect(() => {
    document.documentElement.dataset['tables'] = density;
  }, [density]);
  const isCompact = density === 'compact';
  return (
    <button
      type="button"
      class="quiet"
      aria-pressed={isCompact}
      onClick={() => setDensity(isCompact ? 'comfortable' : 'compact')}
    >
      Compact tables
    </button>
  );
}

/** A person may go to another one; a key has one. */
function Environment(): VNode {
  const { environment, person } = useSession();
  const title = `Environment ${environment.identifier}`;
  if (person === undefined || person.known.environments.length < 2) {
    return (
      <span class="who-environment" title={title}>
        {environment.name}
      </span>
    );
  }
  return (
    <select
      class="who-environment"
      aria-label="Environment"
      title={title}
      value={environment._id}
      onChange={(event) => person.switchTo(event.currentTarget.value)}
    >
      {person.known.environments.map(({ _id, name }) => (
        <option key={_id} value={_id}>
          {name}
        </option>
      ))}
    </select>
  );
}

export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
      <rect width="16" height="16" rx="3" />
      <path d="M4.5 3v10M11.5 3v10M4.5 8h7" />
    </svg>
  );
}
