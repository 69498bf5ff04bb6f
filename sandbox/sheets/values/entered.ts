import type { NumberFormat } from '../model/cell-format.ts'
import type { Content } from '../model/content.ts'

/** What typing a text makes of a cell; `format` is present when typing also sets the number format. */
export interface Entered {
  readonly content: Content
  readonly format?: NumberFormat
}
