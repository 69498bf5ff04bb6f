import type { Paging } from '../../../contract/connections.ts'
import { originMessages as messages } from '../../../contract/origin-messages.ts'
import { OriginFailure } from '../connector.ts'
import type { Page } from './pages.ts'

/** Pages without a row in a row after which nothing more is expected. */
const MAX_EMPTY = 10

/** What a reply says of its page and of what follows. */
export type PageFacts = {
  rows: number
  /** Rows in all; null: it does not say. */
  total: number | null
  /** Whether it says that there is more; null: it does not say. */
  has_more: boolean | null
  /** What it names as the next page, by cursor or address; null: none. */
  next: { cursor: string | number } | { url: string } | null
}

/** What is known of the pages so far, the last one included. */
export type Progress = { pages: number; rows: number; empty_in_a_row: number }

/**
 * The page after `page`; null: that was the last one. A short page is not the end, and neither is a page without rows where the API
 * names another one. Throws OriginFailure where the API goes on promising rows that never come.
 */
export function nextPage(
  paging: Paging,
  page: Page,
  facts: PageFacts,
  progress: Progress,
): { next: Page | null; warning?: string } {
  const { rows, total, has_more, next } = facts
  if (paging.style === 'none' || has_more === false) return { next: null }
  if (progress.empty_in_a_row >= MAX_EMPTY) {
    if (has_more) throw new OriginFailure('invalid', messages.pages_empty(MAX_EMPTY))
    return { next: null, warning: messages.ended_after_empty_pages(MAX_EMPTY) }
  }
  if ('page' in page || 'offset' in page) {
    if (rows === 0 && !has_more) return { next: null }
    // What looks like a total after one page may be the number of rows on each: one more request tells.
    if (progress.rows === total && progress.pages > 1 && !has_more) return { next: null }
    return { next: 'page' in page ? { page: page.page + 1 } : { offset: page.offset + rows } }
  }
  if (next === null) return { next: null }
  const is_same =
    'cursor' in next
      ? 'cursor' in page && page.cursor === next.cursor
      : 'url' in page && page.url === next.url
  return { next: rows === 0 && is_same ? null : next }
}

/** Notices pages that come again, whichever way the API walks in circles. */
export class RepeatedPages {
  readonly #seen = new Set<string>()
  #in_a_row = 0

  /** Whether a page with rows of this digest has been there. Throws OriginFailure for the second such page in a row. */
  has(digest: string): boolean {
    if (!this.#seen.has(digest)) {
      this.#seen.add(digest)
      this.#in_a_row = 0
      return false
    }
    this.#in_a_row += 1
    if (this.#in_a_row === 2) throw new OriginFailure('invalid', messages.pages_repeat)
    return true
  }
}
