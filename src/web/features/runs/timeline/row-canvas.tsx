import { memo, useLayoutEffect, useRef } from 'react'
import type { Row } from './layout.ts'
import { type Colours, paintRow } from './paint.ts'
import type { View } from './ranges.ts'

type Props = { row: Row; view: View; width: number; colours: Colours; ticks: readonly number[] }

/** The runs of one row, drawn. */
export const RowCanvas = memo(function RowCanvas({ row, view, width, colours, ticks }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useLayoutEffect(() => {
    if (canvas.current) paintRow(canvas.current, row, { view, width, colours, ticks })
  }, [row, view, width, colours, ticks])
  return <canvas ref={canvas} aria-hidden style={{ display: 'block', width, height: row.height }} />
})
