import type { CompilerQuality } from '../../../../contract/compiler/records.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { BarStrip } from '../../../ui/bar-strip.tsx'
import classes from './quality.module.css'

type Compile = CompilerQuality['compiles'][number]
type Strip = { label: string; tone: Tone; count: (compile: Compile) => number | null }

const strips: readonly Strip[] = [
  { label: 'Clean', tone: 'success', count: ({ clean }) => clean },
  { label: 'Blanks', tone: 'warning', count: ({ blanks }) => blanks },
  { label: 'Errors', tone: 'error', count: ({ errors }) => errors },
  { label: 'Duplicates', tone: 'purple', count: ({ duplicates }) => duplicates },
]

/** A count and its share of the total: "12 of 340 (3%)", "3 of 1,206 (<1%)"; a dash if the count is unknown. */
export const shareText = (count: number | null, total: number): string =>
  count === null ? '–' : `${formatNumber(count)} of ${formatNumber(total)} (${percentText(count, total)})`

function percentText(count: number, total: number): string {
  const percent = total === 0 ? 0 : Math.floor((count / total) * 100)
  return percent === 0 && count > 0 ? '<1%' : `${percent}%`
}

/** Shares of complete, blank, invalid and duplicate records in the last compiles. */
export function QualityPicture({ compiles }: { compiles: readonly Compile[] }) {
  const zone = useTimeZone()
  const newest = compiles.at(-1)
  const reversed = compiles.toReversed()
  const labels = (compile: Compile, { label, count }: Strip) =>
    `${formatLongMoment(compile.compiled_at, zone)}: ${label} ${shareText(count(compile), compile.total)}`
  return (
    <div className={classes.pictures}>
      {strips.map((strip) => (
        <figure key={strip.label} className={classes.picture}>
          <figcaption>
            {strip.label} <b>{newest && shareText(strip.count(newest), newest.total)}</b>
          </figcaption>
          <BarStrip
            label={`${strip.label}, last compiles`}
            bars={reversed.map((compile) => ({
              key: compile.run_id,
              height: compile.total === 0 ? 0 : (strip.count(compile) ?? 0) / compile.total,
              // an empty bar has no warning colour
              tone: strip.count(compile) ? strip.tone : 'neutral',
              label: labels(compile, strip),
            }))}
            details={(key) =>
              reversed
                .filter(({ run_id }) => run_id === key)
                .map((compile) => <span key={key}>{labels(compile, strip)}</span>)
            }
          />
        </figure>
      ))}
    </div>
  )
}
