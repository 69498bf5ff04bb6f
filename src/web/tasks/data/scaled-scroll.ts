/**
 * Tallest element that browsers lay out and place to the pixel: Chromium stops at 33,554,428 px, Firefox at 17,895,697, and
 * what scrolls is placed in single floats, which are whole pixels up to 2^24 only.
 */
export const TALLEST_PX = 16_000_000

// so far from either end the rows go exactly as far as the scroll bar does
const UNSCALED_PX = 1_000_000

/** Where content stands while its element, which may be less tall, is scrolled. All in pixels. */
export type ScaledScroll = {
  /** Of the element. */
  height: number
  /** How far into the content it is scrolled. */
  offsetAt: (scroll: number) => number
  /** What to scroll to, to get there. */
  scrollAt: (offset: number) => number
}

/**
 * Scrolling through content that may be taller than an element can be, seen through a window of `view` pixels. Content that
 * fits scrolls as ever; of what does not, the middle goes by faster than the scroll bar says, so that both ends are reached.
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
