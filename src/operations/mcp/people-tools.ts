import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ListSubscribersQuery, type SubscriberResponse, SubscribersService } from '../../audience/subscribers/index.js';
import { PreferencesService, type WorkflowPreferenceResponse } from '../../content/preferences/index.js';
import { inputOf, tool, type Tool } from './tool.js';

/** Who is notified, and what they chose. */
@Injectable()
export class PeopleTools {
  readonly tools: readonly Tool[] = [this.find(), this.get()];

  constructor(
    private readonly subscribers: SubscribersService,
    private readonly preferences: PreferencesService,
  ) {}

  private find(): Tool {
    return tool({
      name: 'find_subscribers',
      description: 'Finds subscribers by email, phone, or the beginning of their name or id.',
      scope: 'read',
      resource: 'subscriber',
      isReadOnly: true,
      action: 'listSubscribers',
      input: z.strictObject({
        email: z.string().optional(),
        phone: z.string().optional(),
        name: z.string().optional(),
        subscriberId: z.string().optional(),
        page: z.int().default(0),
      }),
      run: async (caller, query) => {
        const input = await inputOf(ListSubscribersQuery, 'query', query);
        const { data, hasMore } = await this.subscribers.list(caller, input);
        return { data: { subscribers: data.map(withoutCredentials), hasMore } };
      },
    });
  }

  private get(): Tool {
    return tool({
      name: 'get_subscriber',
      description:
        'Reads a subscriber: profile, addresses that do not work, global preference with quiet hours, and preferences by workflow.',
      scope: 'read',
      resource: 'subscriber',
      isReadOnly: true,
      action: 'getSubscriber',
      input: z.strictObject({ subscriberId: z.string() }),
      run: async (caller, { subscriberId }) => {
        const found = await this.subscribers.get(caller, subscriberId);
        const [global, workflows] = await Promise.all([
          this.preferences.getGlobal(caller, subscriberId),
          this.preferences.list(caller, subscriberId),
        ]);
        return {
          data: {
            ...withoutCredentials(found),
            preferences: { global: global.preference, workflows: workflows.map(preferenceOf) },
          },
          about: { id: found._id },
        };
      },
    });
  }
}

/** Agents need to know that there are devices and chats, not their tokens. */
function withoutCredentials({ channels, ...rest }: SubscriberResponse) {
  return { ...rest, channels: channels.map(({ providerId }) => providerId) };
}

function preferenceOf({ template, preference }: WorkflowPreferenceResponse) {
  return { workflow: template.triggers[0]?.identifier, critical: template.critical, ...preference };
}
