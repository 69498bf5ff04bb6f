import type { Wait } from '../../../contract/runs/waits.ts'
import { useServerSecond } from '../../lib/use-server-second.ts'
import { waitText } from './wait-labels.ts'

/** Wait reason of a live run with a countdown. */
export function WaitLine({
  wait,
  place,
  className,
}: {
  wait: Wait
  place: number | null
  className: string | undefined
}) {
  const text = waitText(wait, place, useServerSecond())
  return (
    <div className={className} title={text}>
      {text}
    </div>
  )
}
