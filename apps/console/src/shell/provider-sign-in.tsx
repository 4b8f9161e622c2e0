import type { VNode } from 'preact';
import { addressOf, CONSOLE } from '../public-path.js';

const LEFT_FROM = 'herald-left-from';
const FAULT = /^#sign-in=(\w+)$/;

/** Leaves the console; afterwards, the browser is back in it. */
export function ProviderLink({ provider }: { readonly provider: string }): VNode {
  const remember = (): void => sessionStorage.setItem(LEFT_FROM, `${location.pathname}${location.search}`);
  return (
    <a class="button primary" href={addressOf('/sign-in/oidc')} onClick={remember}>
      Sign in with {provider}
    </a>
  );
}

/** To the page from which somebody left; no other site can say which. */
export function backFromProvider(): void {
  const place = sessionStorage.getItem(LEFT_FROM);
  sessionStorage.removeItem(LEFT_FROM);
  if (place?.startsWith(`${CONSOLE}/`) === true && !place.startsWith(`${CONSOLE}/invitation`)) {
    history.replaceState(undefined, '', place);
  }
}

/** Why the provider's sign-in failed; read once. */
export function takeFault(): string | undefined {
  const fault = FAULT.exec(location.hash)?.[1];
  if (fault !== undefined) history.replaceState(undefined, '', location.pathname + location.search);
  return fault;
}
