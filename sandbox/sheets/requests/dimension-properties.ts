import type { Context } from '../changes/context.ts'
import type { BookDraft, SheetDraft } from '../model/book.ts'
import type { DimensionProperties } from '../model/layers.ts'
import { checkTabEditable } from './protection.ts'
import type { DimensionRange, RequestArgs } from './shapes.ts'
import { lineOf, sheetOf } from './targets.ts'
import { updateMask } from './update-mask.ts'

export function updateDimensionProperties(
  draft: BookDraft,
  { range, properties, fields }: RequestArgs<'updateDimensionProperties'>,
  context: Context,
) {
  const mask = updateMask(fields, ['hiddenByUser', 'pixelSize'])
  const has = (name: string) => mask.has(name) || mask.has('*')
  const { hiddenByUser, pixelSize } = properties
  change(draft, range, context, (before) => ({
    ...before,
    ...(has('hiddenByUser') && { hiddenByUser }),
    ...(has('pixelSize') && { pixelSize }),
  }))
  return {}
}

/** The sandbox does not render text, so the fitted size is the default size. */
export function autoResizeDimensions(
  draft: BookDraft,
  { dimensions }: RequestArgs<'autoResizeDimensions'>,
  context: Context,
) {
  change(draft, dimensions, context, ({ hiddenByUser }) => ({ hiddenByUser }))
  return {}
}

function change(
  draft: BookDraft,
  range: DimensionRange,
  context: Context,
  next: (before: DimensionProperties) => {
    hiddenByUser?: boolean | undefined
    pixelSize?: number | undefined
  },
): void {
  const sheet = sheetOf(draft, range.sheetId)
  const { start, end } = lineOf(sheet, range)
  checkTabEditable(draft, sheet, context)
  const changed = new Map(linesOf(sheet, range))
  for (let index = start; index < end; index++) {
    const { hiddenByUser, pixelSize } = next(changed.get(index) ?? {})
    const properties = { ...(hiddenByUser && { hiddenByUser }), ...(pixelSize && { pixelSize }) }
    if (Object.keys(properties).length > 0) changed.set(index, properties)
    else changed.delete(index)
  }
  sheet.layers = { ...sheet.layers, [range.dimension === 'ROWS' ? 'rows' : 'columns']: changed }
}

function linesOf({ layers }: SheetDraft, { dimension }: DimensionRange) {
  return dimension === 'ROWS' ? layers.rows : layers.columns
}
