import { defineComponent, h, type PropType } from 'vue';
import { defineInbox } from './element/herald-inbox.js';
import type { InboxLabels } from './element/labels.js';
import { attributesOf, EVENTS, type InboxProps } from './element/props.js';
import type { InboxTab } from './store/index.js';

defineInbox();

/** `<herald-inbox>` as a component of Vue: `@select`, `@message`, … are its events, and the slot is that of the bell. */
export const HeraldInbox = defineComponent({
  name: 'HeraldInbox',
  props: {
    backendUrl: { type: String, required: true },
    applicationIdentifier: { type: String, required: true },
    subscriberId: { type: String, required: true },
    subscriberHash: String,
    tabs: Array as PropType<readonly InboxTab[]>,
    labels: Object as PropType<Partial<InboxLabels>>,
    inline: Boolean,
    open: Boolean,
    theme: String as PropType<InboxProps['theme']>,
    lang: String,
    dir: String as PropType<InboxProps['dir']>,
    badge: String as PropType<InboxProps['badge']>,
    pushWorker: String,
  },
  emits: [...EVENTS],
  setup(props, { emit, slots }) {
    const listeners = Object.fromEntries(
      EVENTS.map((name) => [`onHerald-${name}`, (event: Event) => emit(name, event)] as const),
    );
    return () => {
      const { tabs, labels, ...others } = props;
      // A dot makes a property of the element, and a caret an attribute.
      const attributes = Object.entries(attributesOf(others)).map(([name, value]) => [`^${name}`, value] as const);
      return h(
        'herald-inbox',
        { ...Object.fromEntries(attributes), '.tabs': tabs, '.labels': labels, ...listeners },
        slots['default']?.(),
      );
    };
  },
});
