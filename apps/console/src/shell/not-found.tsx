import type { VNode } from 'preact';
import { Link } from 'wouter-preact';
import { Page } from '../ui/page.js';

export function NotFoundPage(): VNode {
  return (
    <Page title="No such page">
      <p>
        The console has no page with this address. <Link href="/">Go to the activity</Link>.
      </p>
    </Page>
  );
}
