import { useOutages } from '../lib/outages.ts'
import { Banner } from './banner.tsx'

/** One message per part of Rowferry that is down; nothing without an outage or a session. */
export function OutageBanner() {
  const lines = useOutages()
  return (
    <div role="status">
      {lines.length > 0 && (
        <Banner label="Outage" severe>
          {lines.map((line) => (
            <div key={line}>{line}</div>
          ))}
        </Banner>
      )}
    </div>
  )
}
