/** Minified by the build. Colours have a contrast of at least 4.5 to their background, and 3 where they are no text. */
const CSS = `
:host {
  --_accent: var(--herald-accent, #2456c8);
  --_on-accent: var(--herald-on-accent, #fff);
  --_background: var(--herald-background, #fff);
  --_raised: var(--herald-raised, #f3f5f9);
  --_text: var(--herald-text, #1b2130);
  --_muted: var(--herald-muted, #596275);
  --_border: var(--herald-border, #d5dae3);
  --_control: var(--herald-control, #7d8798);
  --_urgent: var(--herald-urgent, #b3261e);
  --_radius: var(--herald-radius, 12px);
  display: inline-block;
  color-scheme: light;
  color: var(--_text);
  font: 400 14px/1.45 var(--herald-font, system-ui, sans-serif);
  text-align: start;
}
:host([inline]) { display: block; }
:host([hidden]) { display: none; }
:host([data-dark]) {
  --_accent: var(--herald-accent, #8db1ff);
  --_on-accent: var(--herald-on-accent, #0d1a38);
  --_background: var(--herald-background, #171b24);
  --_raised: var(--herald-raised, #222836);
  --_text: var(--herald-text, #eef1f7);
  --_muted: var(--herald-muted, #a9b3c5);
  --_border: var(--herald-border, #353d4d);
  --_control: var(--herald-control, #8490a5);
  --_urgent: var(--herald-urgent, #ffb4ab);
  color-scheme: dark;
}
* { box-sizing: border-box; }
button, select, input { font: inherit; color: inherit; }
button { cursor: pointer; background: none; border: 0; border-radius: 8px; padding: 4px 10px; min-height: 32px; }
button:hover { background: var(--_raised); }
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 1px; }
svg { display: block; width: 20px; height: 20px; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; stroke-linejoin: round; }
svg.unread { fill: currentColor; }
:dir(rtl) svg.back { transform: scaleX(-1); }
.icon { padding: 6px; min-width: 32px; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.bell { position: relative; padding: 8px; min-width: 40px; min-height: 40px; border-radius: 50%; }
.bell svg { width: 24px; height: 24px; }
.badge { position: absolute; inset-block-start: 2px; inset-inline-end: 2px; min-width: 18px; padding: 0 4px; border-radius: 9px; background: var(--_urgent); color: var(--_background); font-size: 11px; font-weight: 700; line-height: 18px; text-align: center; }
.badge:empty { display: none; }
.panel { position: fixed; inset: auto; margin: 0; padding: 0; flex-direction: column; width: var(--_width); height: var(--_height); left: var(--_left); top: var(--_top); background: var(--_background); color: var(--_text); border: 1px solid var(--_border); border-radius: var(--_radius); box-shadow: 0 12px 32px #0003; overflow: hidden; z-index: 2147483000; }
.panel.open { display: flex; }
.panel:not(.open) { display: none; }
:host([inline]) .panel { position: static; display: flex; width: auto; height: var(--herald-height, 560px); box-shadow: none; z-index: auto; }
header, .bar { display: flex; align-items: center; gap: 4px; padding: 8px 12px; flex: none; }
header { border-block-end: 1px solid var(--_border); }
h2 { flex: 1; margin: 0; font-size: 17px; line-height: 1.3; }
h3 { margin: 16px 0 4px; font-size: 14px; }
.bar { flex-wrap: wrap; padding-block: 6px; font-size: 13px; }
.bar label { margin-inline-end: auto; }
.bar button { color: var(--_accent); padding-inline: 6px; }
select, input:not([type=checkbox]) { min-height: 32px; padding: 2px 6px; background: var(--_background); border: 1px solid var(--_control); border-radius: 8px; }
.tabs { display: flex; gap: 2px; padding: 0 8px; flex: none; overflow-x: auto; border-block-end: 1px solid var(--_border); }
.tabs button { border-radius: 8px 8px 0 0; min-height: 38px; white-space: nowrap; color: var(--_muted); outline-offset: -3px; }
.tabs [aria-selected=true] { color: var(--_text); font-weight: 600; box-shadow: inset 0 -2px var(--_accent); }
.count { margin-inline-start: 6px; padding: 0 6px; border-radius: 9px; background: var(--_raised); color: var(--_text); font-size: 12px; }
.view { display: flex; flex-direction: column; flex: 1; min-height: 0; }
.view[hidden], [hidden] { display: none !important; }
.note { flex: none; padding: 6px 12px; background: var(--_raised); font-size: 13px; }
.note:empty { display: none; }
.scroll { position: relative; flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; outline-offset: -2px; }
.feed { position: relative; }
.empty { padding: 48px 16px; text-align: center; color: var(--_muted); }
.item { position: absolute; inset-inline: 0; top: 0; display: flex; gap: 10px; padding: 12px; border-block-end: 1px solid var(--_border); outline-offset: -2px; }
.item:hover, .item:focus-within { background: var(--_raised); }
.item { touch-action: pan-y; background: var(--_background); }
.item.first { padding-block-start: 42px; }
.day-name { position: absolute; inset-inline: 0; inset-block-start: 0; margin: 0; padding: 5px 12px; background: var(--_raised); color: var(--_muted); font-size: 12px; line-height: 20px; font-weight: 600; }
.member { padding-inline-start: 36px; }
.member .avatar { width: 24px; height: 24px; }
.sign { display: grid; place-items: center; background: var(--_raised); color: var(--_accent); }
.sign.error, .sign.warning { color: var(--_urgent); }
.group { position: relative; z-index: 1; margin-block: 4px 0; margin-inline: -8px 0; padding: 2px 8px; min-height: 28px; color: var(--_accent); font-size: 13px; font-weight: 600; }
.swipe { position: absolute; inset-inline: 0; top: 0; display: flex; align-items: center; gap: 8px; padding: 0 20px; background: var(--_raised); color: var(--_muted); font-weight: 600; }
.swipe.right { justify-content: end; }
:dir(rtl) > .swipe { justify-content: end; }
:dir(rtl) > .swipe.right { justify-content: start; }
.swipe.far { background: var(--_accent); color: var(--_on-accent); }
:host([compact]) .item { padding-block: 6px; }
:host([compact]) .item.first { padding-block-start: 36px; }
:host([compact]) .avatar { width: 24px; height: 24px; }
:host([compact]) .open-link, :host([compact]) .body { display: block; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; overflow-wrap: normal; }
:host([compact]) .body * { display: inline; margin: 0; }
.toasts { position: fixed; inset: auto; inset-inline-end: 16px; inset-block-end: 16px; width: min(360px, calc(100vw - 32px)); margin: 0; padding: 0; border: 0; background: none; color: var(--_text); overflow: visible; z-index: 2147483000; }
.toast { display: flex; align-items: start; margin-block-start: 8px; padding: 6px; background: var(--_background); border: 1px solid var(--_border); border-radius: var(--_radius); box-shadow: 0 8px 24px #0003; }
.toast-text { flex: 1; min-width: 0; display: grid; gap: 2px; padding: 6px 8px; text-align: start; overflow-wrap: anywhere; }
.toast-text:hover { background: none; text-decoration: underline; }
.toast-text span { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.dot { flex: none; width: 10px; height: 10px; margin-block-start: 5px; border-radius: 50%; border: 2px solid transparent; }
.unread > .dot { background: var(--_accent); border-color: var(--_accent); }
.avatar { flex: none; width: 32px; height: 32px; border-radius: 50%; object-fit: cover; }
.main { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.head { display: flex; gap: 8px; align-items: baseline; }
.open-link { flex: 1; min-width: 0; min-height: 24px; padding: 2px 0; border-radius: 4px; color: inherit; text-align: start; text-decoration: none; background: none; }
.open-link::after { content: ''; position: absolute; inset: 0; }
.unread .open-link { font-weight: 650; }
.urgent { color: var(--_urgent); font-size: 12px; font-weight: 700; }
time { flex: none; color: var(--_muted); font-size: 12px; }
.body p, .body ul, .body ol { margin: 0 0 4px; }
.body a { position: relative; z-index: 1; color: var(--_accent); }
.actions { position: relative; z-index: 1; display: flex; flex-wrap: wrap; gap: 6px; width: fit-content; }
.actions:empty { display: none; }
.actions button, .actions a { display: inline-flex; align-items: center; margin-block-start: 8px; min-height: 32px; padding: 4px 12px; border: 1px solid var(--_control); border-radius: 8px; color: inherit; text-decoration: none; }
.actions .primary { background: var(--_accent); border-color: var(--_accent); color: var(--_on-accent); }
.actions .primary:hover { filter: brightness(1.08); }
.tools { position: relative; z-index: 1; display: flex; gap: 2px; width: fit-content; margin: 4px -6px -4px; color: var(--_muted); }
@media (hover: hover) {
  .tools { position: absolute; z-index: 2; inset-block-start: 6px; inset-inline-end: 8px; margin: 0; background: var(--_background); border-radius: 8px; box-shadow: 0 0 0 1px var(--_border); }
  .item.first .tools { inset-block-start: 36px; }
  .item:not(:hover, :focus-within) .tools { opacity: 0; }
}
.until { align-items: end; }
.until input { margin-block-start: 8px; max-width: 190px; }
.muted { color: var(--_muted); font-size: 13px; margin: 4px 0; }
.settings { padding: 4px 16px 24px; overflow-y: auto; flex: 1; outline-offset: -2px; }
.settings label { display: flex; align-items: center; gap: 10px; min-height: 36px; }
.settings label > span { flex: 1; }
.settings summary { min-height: 36px; padding: 6px 0; cursor: pointer; font-weight: 600; }
.settings details { border-block-end: 1px solid var(--_border); }
.day { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; border-block-end: 1px solid var(--_border); }
.day > label { flex: 1 0 120px; }
.times { display: flex; gap: 6px; align-items: center; margin-block-end: 4px; }
.day > .icon { margin-inline-start: auto; }
[role=switch] { appearance: none; flex: none; position: relative; width: 38px; height: 24px; margin: 0; border-radius: 12px; background: var(--_control); cursor: pointer; }
[role=switch]::after { content: ''; position: absolute; inset-block-start: 3px; inset-inline-start: 3px; width: 18px; height: 18px; border-radius: 50%; background: var(--_background); transition: inset-inline-start .15s; }
[role=switch]:checked { background: var(--_accent); }
[role=switch]:checked::after { inset-inline-start: 17px; }
[role=switch]:disabled { opacity: .5; cursor: default; }
@media (max-width: 480px) {
  :host(:not([inline])) .panel { inset: 0; width: auto; height: auto; max-width: none; max-height: none; border: 0; border-radius: 0; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
@media (forced-colors: active) {
  .badge, .primary, .unread > .dot { forced-color-adjust: none; }
  [role=switch] { appearance: auto; }
  [role=switch]::after { display: none; }
}
`;

let sheet: CSSStyleSheet | undefined;

/** One for all elements; a page needs no `unsafe-inline` for it. */
export function styleSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
  }
  return sheet;
}
