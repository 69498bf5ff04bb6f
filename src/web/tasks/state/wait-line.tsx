import type { Wait } from '../../../contract/runs/waits.ts'
import { useServerSecond } from '../../lib/use-server-second.ts'
import { waitText } from './wait-labels.ts'

/** What a live run waits for, with the time that is left. */
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
