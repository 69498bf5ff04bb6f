import { SegmentedControl } from '@mantine/core'
import { type RangeName, rangeChoices } from './ranges.ts'

/** Chooses the range of time that the timeline shows. */
export const Ranges = ({ range, onRange }: { range: RangeName; onRange: (range: RangeName) => void }) => (
  <SegmentedControl
    aria-label="Time"
    size="sm"
    data={rangeChoices.map(({ value, label }) => ({ value, label }))}
    value={range}
    onChange={onRange}
  />
)
