export const LEAD =
  'Herald delivers notifications. You define a workflow once; your code makes one HTTP call, and Herald handles preferences, ' +
  'digests, delays, templates and delivery, and records what happened to each message.';

/** The first page, in the format of VitePress's home layout. */
export const HOME = `---
layout: home
title: Herald
titleTemplate: Documentation
hero:
  name: Herald
  text: Notifications that explain themselves
  tagline: ${LEAD}
  image: { src: /images/console-reason.png, alt: 'A notification in the console, with the reason why two of its steps did not deliver' }
  actions:
    - { theme: brand, text: Send your first message, link: /manual/tutorial }
    - { theme: alt, text: API reference, link: /api, target: _self }
    - { theme: alt, text: Console, link: /console, target: _self }
features:
  - title: Learn the concepts
    details: Workflows, subscribers, steps, digests, tenants, and how they belong together.
    link: /manual/concepts
  - title: Add an inbox
    details: A bell and a feed of messages in your web page, updated in real time.
    link: /browser-clients
  - title: Connect a provider
    details: Email, SMS, chat and push. Each provider has a page with its credentials and an example.
    link: /providers
  - title: Find out why
    details: Why a message did not arrive, step by step, and how to send it again.
    link: /troubleshooting
  - title: Run it in production
    details: MongoDB, several processes, backups, metrics and upgrades.
    link: /operations
  - title: Compare and move
    details: What other systems offer, and how to move from Novu.
    link: /manual/compared-with
---
`;
