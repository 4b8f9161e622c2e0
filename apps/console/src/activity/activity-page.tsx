import type { VNode } from 'preact';
import { Page } from '../ui/page.js';

export function ActivityPage(): VNode {
  return <Page title="Activity">{null}</Page>;
}
