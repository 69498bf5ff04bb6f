import type { NumberFormat } from '../model/cell-format.ts'
import type { Content } from '../model/content.ts'

/** Result of entering a text in a cell. `format` is set if the entry also sets the number format. */
export interface Entered {
  readonly content: Content
  readonly format?: NumberFormat
}
