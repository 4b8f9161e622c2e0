import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { Page } from '../ui/page.js';

export function NotFoundPage(): VNode {
  return (
    <Page title="Page not found">
      <p>
        The console has no page at this address. <Link href="/">Go to Home</Link>.
      </p>
    </Page>
  );
}
