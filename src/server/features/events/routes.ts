import { events, type StreamOf } from '../../../contract/events/calls.ts'
import type { Feature } from '../../platform/http/feature.ts'
import type { Live } from './queries/live.ts'

type Deps = { live: Record<StreamOf, Live> }

/** Event streams. */
export const eventsFeature: Feature<typeof events, Deps> = {
  calls: events,
  handlers: {
    stream: ({ query, signal }, { live }) => live[query.of].subscribe(signal),
  },
}
