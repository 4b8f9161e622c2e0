import type { VNode } from 'preact';
import { Page } from '../ui/page.js';

export function ReplayPage(): VNode {
  return <Page title="Replay">{null}</Page>;
}
