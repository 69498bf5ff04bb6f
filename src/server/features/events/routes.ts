import { events } from '../../../contract/events.ts'
import type { Feature } from '../../platform/http/feature.ts'
import type { Live } from './queries/live.ts'

type Deps = { live: Record<'tasks' | 'source_tasks' | 'types', Live> }

/** The live streams. */
export const eventsFeature: Feature<typeof events, Deps> = {
  calls: events,
  handlers: {
    stream: ({ query, signal }, { live }) => live[query.of].subscribe(signal),
  },
}
