import { useOutages } from '../lib/outages.ts'
import { Banner } from './banner.tsx'

/** A line for each part of Rowferry that is down, as long as it is; nothing while all is well or nobody is signed in. */
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
