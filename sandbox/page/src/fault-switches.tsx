import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Fault, faults, setFaults } from './control-api.ts'
import { useControl } from './use-control.ts'

const shares = [
  [1, 'every request'],
  [0.3, '30 % of requests'],
  [0.1, '10 % of requests'],
] as const
const targets = { all: 'reads and writes', read: 'reads only', write: 'writes only' }
type Target = keyof typeof targets

// Shorter than Google's three minutes, for interactive use.
const shortHold: Record<string, number> = {
  timeout: 10_000,
  'execute-then-timeout': 10_000,
  latency: 3_000,
  'slow-body': 20,
}

/** A switch per fault kind. Probability and target of new faults are chosen above. */
export function FaultSwitches() {
  const { data } = useQuery(faults)
  const change = useControl(setFaults)
  const [share, setShare] = useState(0.3)
  const [target, setTarget] = useState<Target>('all')
  if (data === undefined) return null
  // Optimistic state until the sandbox confirms it.
  const on = change.isPending ? change.variables : data.faults
  const toggle = (kind: string, isOn: boolean) => {
    const others = on.filter((fault) => fault.kind !== kind)
    change.mutate(isOn ? [...others, faultOf(kind, share, target)] : others)
  }
  return (
    <section aria-labelledby="faults">
      <h3 id="faults">Faults</h3>
      <div className="choices">
        <label>
          Apply to
          <select value={share} onChange={(event) => setShare(Number(event.target.value))}>
            {shares.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label>
          Among
          <select value={target} onChange={(event) => setTarget(targetOf(event.target.value))}>
            {Object.entries(targets).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </div>
      {change.isError ? (
        <p className="error" role="alert">
          {change.error.message}
        </p>
      ) : null}
      <ul className="faults">
        {Object.entries(data.kinds).map(([kind, meaning]) => {
          const active = on.find((fault) => fault.kind === kind)
          return (
            <li key={kind}>
              <label className="switch">
                <input
                  type="checkbox"
                  checked={active !== undefined}
                  onChange={(event) => toggle(kind, event.target.checked)}
                />
                <span>
                  <strong>{kind}</strong> <span className="quiet">{meaning}</span>
                  {active === undefined ? null : <em>{describe(active)}</em>}
                </span>
              </label>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function targetOf(value: string): Target {
  return value === 'read' || value === 'write' ? value : 'all'
}

function faultOf(kind: string, share: number, target: Target): Fault {
  const ms = shortHold[kind]
  return {
    kind,
    match: target === 'all' ? {} : { kind: target },
    ...(share === 1 ? {} : { probability: share }),
    ...(ms === undefined ? {} : { ms }),
    // Limited to one request, because a permanent fault would also revoke the grant after reconnecting.
    ...(kind === 'revoked-grant' ? { count: 1 } : {}),
  }
}

function describe({ match, probability, count }: Fault): string {
  const share = probability === undefined ? 'every request' : `${Math.round(probability * 100)} % of requests`
  const left = count === undefined ? '' : `, ${count} more`
  return `on: ${share}, ${targets[match.kind ?? 'all']}${left}`
}
