import { useQuery } from '@tanstack/react-query'
import { messages } from '../../../../contract/page-messages.ts'
import type { Outage } from '../../../../contract/system.ts'
import { CallError } from '../../../lib/call.ts'
import { sessionQuery } from '../../../lib/session.ts'
import { Banner } from '../../../ui/banner.tsx'
import { systemStatusQuery } from '../api.ts'

/** A line for each part of Rowferry that is down, as long as it is; nothing while all is well or nobody is signed in. */
export function OutageBanner() {
  // of the last check that succeeded: the session cannot be checked either while the server is away
  const { data: session } = useQuery(sessionQuery)
  const { data, error } = useQuery({ ...systemStatusQuery, enabled: session?.authenticated === true })
  const lines = (error ? [failure(error)] : (data?.outages ?? []).map(sentence)).filter(Boolean)
  return (
    <div role="status">
      {lines.length > 0 && (
        <Banner label="Out of order" severe>
          {lines.map((line) => (
            <div key={line}>{line}</div>
          ))}
        </Banner>
      )}
    </div>
  )
}

// refusals have their own words elsewhere
function failure(error: Error): string {
  const status = error instanceof CallError ? error.status : 0
  if (status === 0 || status === 502 || status === 504) return messages.server_down
  return status === 503 ? messages.database_down : ''
}

function sentence({ part, none_left, reason, next_start }: Outage): string {
  const what = messages.outages[part](none_left)
  if (reason === null || next_start === null) return what
  return `${what} ${messages.outage_reason(reason, new Date(next_start).toLocaleTimeString('en-GB'))}`
}
