import type { Paging } from '../../../contract/connections/calls.ts'
import { originMessages } from '../../../contract/connections/server-messages.ts'

import { OriginFailure } from '../connector.ts'
import type { Page } from './pages.ts'

/** Consecutive empty pages after which the reading ends. */
const MAX_EMPTY = 10

/** What a reply says about its page and the next one. */
export type PageFacts = {
  rows: number
  /** Total number of rows; null: unknown. */
  total: number | null
  /** Its has-more flag; null: none. */
  has_more: boolean | null
  /** The next page by cursor or URL; null: none. */
  next: { cursor: string | number } | { url: string } | null
}

/** Totals of the pages so far, including the last one. */
export type Progress = { pages: number; rows: number; empty_in_a_row: number }

/**
 * The next page; null after the last one. Short pages do not end a list, nor do empty pages if the API names another
 * one. Throws OriginFailure if the API keeps promising rows that never come.
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
    if (has_more) throw new OriginFailure('invalid', originMessages.pages_empty(MAX_EMPTY))
    return { next: null, warning: originMessages.ended_after_empty_pages(MAX_EMPTY) }
  }
  if ('page' in page || 'offset' in page) {
    if (rows === 0 && !has_more) return { next: null }
    // After one page a total may be the page size; one more request tells.
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

/** Detects repeated pages, for every kind of paging. */
export class RepeatedPages {
  readonly #seen = new Set<string>()
  #in_a_row = 0

  /** Whether a page with this digest was seen. Throws OriginFailure for the second consecutive repeat. */
  has(digest: string): boolean {
    if (!this.#seen.has(digest)) {
      this.#seen.add(digest)
      this.#in_a_row = 0
      return false
    }
    this.#in_a_row += 1
    if (this.#in_a_row === 2) throw new OriginFailure('invalid', originMessages.pages_repeat)
    return true
  }
}
