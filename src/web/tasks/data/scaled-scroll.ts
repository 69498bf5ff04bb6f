/**
 * Maximum element height in pixels that browsers lay out exactly: Chromium stops at 33,554,428 px, Firefox at 17,895,697, and
 * scroll offsets are single-precision floats, which represent whole pixels only up to 2^24.
 */
export const TALLEST_PX = 16_000_000

// Within this distance of either end, rows move pixel by pixel with the scroll bar.
const UNSCALED_PX = 1_000_000

/** Maps the scroll offset of an element to the offset in its content, which may be taller. All values in pixels. */
export type ScaledScroll = {
  /** Height of the element. */
  height: number
  /** Content offset at a scroll offset. */
  offsetAt: (scroll: number) => number
  /** Scroll offset that shows a content offset. */
  scrollAt: (offset: number) => number
}

/**
 * Scroll mapping for content that may exceed the maximum element height, in a viewport of `view` pixels. Content that fits scrolls
 * one to one; otherwise the middle moves faster than the scroll bar, so that both ends remain reachable.
 */
export function scaledScroll(content: number, view: number, tallest = TALLEST_PX): ScaledScroll {
  const height = Math.min(content, tallest)
  const scrolls = Math.max(0, height - view)
  const offsets = Math.max(0, content - view)
  const edge = Math.min(UNSCALED_PX, scrolls / 4)
  const ratio = scrolls > 0 ? (offsets - 2 * edge) / (scrolls - 2 * edge) : 1
  const along = (at: number, ends: number, other: number, pace: number) => {
    const within = Math.min(Math.max(at, 0), ends)
    if (within <= edge) return within
    if (within >= ends - edge) return other - (ends - within)
    return edge + (within - edge) * pace
  }
  return {
    height,
    offsetAt: (scroll) => along(scroll, scrolls, offsets, ratio),
    scrollAt: (offset) => along(offset, offsets, scrolls, 1 / ratio),
  }
}
