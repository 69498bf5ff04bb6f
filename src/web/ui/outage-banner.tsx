import { useOutages } from '../lib/outages.ts'
import { Banner } from './banner.tsx'

/** One line per part of Rowferry that is down; nothing without an outage or without a session. */
export function OutageBanner() {
  const lines = useOutages()
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
