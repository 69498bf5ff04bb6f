import { events } from '../../../contract/events.ts'
import type { Feature } from '../../platform/http/feature.ts'
import type { Live } from './queries/live.ts'

type Deps = { live: Live }

/** The live stream. */
export const eventsFeature: Feature<typeof events, Deps> = {
  calls: events,
  handlers: {
    stream: ({ signal }, { live }) => live.subscribe(signal),
  },
}
