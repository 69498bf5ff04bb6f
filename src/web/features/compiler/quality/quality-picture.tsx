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

/** A count and what share of all it is: "12 of 340 (3%)"; a dash where the count is unknown. */
export const shareText = (count: number | null, total: number): string =>
  count === null
    ? '–'
    : `${formatNumber(count)} of ${formatNumber(total)} (${total === 0 ? 0 : Math.floor((count / total) * 100)}%)`

/** Clean, blank, wrong and doubled records over the last compiles: which share of all records they were. */
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
              // what is left of a bar of nothing is no warning
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
