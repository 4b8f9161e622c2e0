import type { VNode } from 'preact';
import { Page } from '../ui/page.js';

export function HealthPage(): VNode {
  return <Page title="Health">{null}</Page>;
}
