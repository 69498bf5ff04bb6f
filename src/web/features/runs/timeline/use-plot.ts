import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type RefCallback, useLayoutEffect, useState } from 'react'
import { type Colours, readColours } from './paint.ts'

/** Width of the plot beside the names, and the colours that it is drawn in. */
export function usePlot(names_px: number): {
  ref: RefCallback<HTMLDivElement | null>
  width: number
  colours: Colours | null
} {
  const { ref, width } = useElementSize<HTMLDivElement>()
  const scheme = useComputedColorScheme('light')
  const [colours, setColours] = useState<Colours | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scheme has other values of the same variables
  useLayoutEffect(() => setColours(readColours(document.body)), [scheme])
  return { ref, width: Math.max(0, Math.floor(width) - names_px), colours }
}
