import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { latency, quotas, recentRequests, resetControls, setLatency, setQuotas } from './control-api.ts'
import { FaultSwitches } from './fault-switches.tsx'
import { useControl } from './use-control.ts'

const latencies = [0, 100, 500, 2_000, 10_000]

/** Quota usage, latency, faults and latest requests, optionally of one spreadsheet. */
export function ControlPanel({ bookId }: { bookId?: string }) {
  const reset = useControl(resetControls)
  return (
    <>
      <div className="panel-head">
        <h2>Controls</h2>
        <button type="button" onClick={() => reset.mutate(undefined)}>
          Back to normal
        </button>
      </div>
      <QuotaUse />
      <LatencyChoice />
      <FaultSwitches />
      <RecentRequests bookId={bookId} />
    </>
  )
}

function QuotaUse() {
  const { data } = useQuery(quotas)
  const enforce = useControl(setQuotas)
  if (data === undefined) return null
  const { use, per_project, per_user } = data
  const isEnforced = enforce.isPending ? enforce.variables : data.enabled
  return (
    <section aria-labelledby="quota">
      <h3 id="quota">Requests this minute</h3>
      <label className="switch">
        <input
          type="checkbox"
          checked={isEnforced}
          onChange={(event) => enforce.mutate(event.target.checked)}
        />
        Enforce Google's quota
      </label>
      <Meter label="Project, reads" value={use.read} limit={per_project} />
      <Meter label="Project, writes" value={use.write} limit={per_project} />
      {use.users.map(({ email, read, write }) => (
        <div key={email}>
          <Meter label={`${email}, reads`} value={read} limit={per_user} />
          <Meter label={`${email}, writes`} value={write} limit={per_user} />
        </div>
      ))}
    </section>
  )
}

function Meter({ label, value, limit }: { label: string; value: number; limit: number }) {
  const id = useId()
  return (
    <div className="meter">
      <label htmlFor={id}>{label}</label>
      <span>
        {value} of {limit}
      </span>
      <meter id={id} min={0} max={limit} high={limit * 0.9} optimum={0} value={Math.min(value, limit)} />
    </div>
  )
}

function LatencyChoice() {
  const { data } = useQuery(latency)
  const choose = useControl(setLatency)
  const chosen = choose.isPending ? choose.variables : (data?.ms ?? 0)
  const choices = latencies.includes(chosen) ? latencies : [...latencies, chosen].sort((a, b) => a - b)
  return (
    <section aria-labelledby="latency">
      <h3 id="latency">Latency</h3>
      <select
        aria-labelledby="latency"
        value={chosen}
        onChange={(event) => choose.mutate(Number(event.target.value))}
      >
        {choices.map((ms) => (
          <option key={ms} value={ms}>
            {ms === 0 ? 'None added' : `${ms} ms, up to half more at random`}
          </option>
        ))}
      </select>
    </section>
  )
}

function RecentRequests({ bookId }: { bookId: string | undefined }) {
  const { data } = useQuery(recentRequests(bookId))
  const entries = data?.entries.toReversed() ?? []
  return (
    <section aria-labelledby="requests">
      <h3 id="requests">
        {bookId === undefined ? 'Latest requests' : 'Latest requests for this spreadsheet'}
      </h3>
      {entries.length === 0 ? <p className="quiet">None yet.</p> : null}
      <ol className="requests">
        {entries.map(({ id, at, account, kind, method, path, ranges, cells, status, applied }) => (
          <li key={id}>
            <span className={status >= 400 || status === 0 ? 'status bad' : 'status good'}>
              {status === 0 ? 'no answer' : status}
            </span>
            <span className="what">
              {method} {path.replace(/^\/v4\/spreadsheets\/[^/:]+/, '…')}
            </span>
            <span className="quiet">
              {new Date(at).toLocaleTimeString()} {account}, {kind}
              {cells > 0 ? `, ${cells.toLocaleString()} cells` : ''}
              {kind === 'write' ? (applied ? ', applied' : ', not applied') : ''}
              {ranges.length > 0 ? `, ${ranges.slice(0, 2).join(' ')}${ranges.length > 2 ? ' …' : ''}` : ''}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
