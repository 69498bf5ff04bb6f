import type { SheetProperties, SheetView } from '../model/book.ts'
import { storedStyle } from '../model/color.ts'
import { isJson, type Json } from '../model/json.ts'

/** SheetProperties of a tab. False flags and zero counts are omitted. */
export function sheetPropertiesJson({ id, properties, grid }: SheetView, index: number) {
  const { title, hidden, rightToLeft, tabColorStyle } = properties
  const { frozenRowCount, frozenColumnCount, hideGridlines, rowGroupControlAfter, columnGroupControlAfter } =
    properties
  return {
    sheetId: id,
    title,
    index,
    sheetType: 'GRID',
    gridProperties: {
      rowCount: grid.rowCount,
      columnCount: grid.columnCount,
      ...(frozenRowCount && { frozenRowCount }),
      ...(frozenColumnCount && { frozenColumnCount }),
      ...(hideGridlines && { hideGridlines }),
      ...(rowGroupControlAfter && { rowGroupControlAfter }),
      ...(columnGroupControlAfter && { columnGroupControlAfter }),
    },
    ...(hidden && { hidden }),
    ...(tabColorStyle && {
      ...(isJson(tabColorStyle.rgbColor) && { tabColor: tabColorStyle.rgbColor }),
      tabColorStyle,
    }),
    ...(rightToLeft && { rightToLeft }),
  }
}

/** Appearance fields of SheetProperties, without title, index and size. */
export function appearanceOf(json: Json): Omit<SheetProperties, 'title'> {
  const grid = isJson(json.gridProperties) ? json.gridProperties : {}
  const style = isJson(json.tabColorStyle)
    ? storedStyle(json.tabColorStyle)
    : isJson(json.tabColor)
      ? storedStyle({ rgbColor: json.tabColor })
      : undefined
  return {
    ...(json.hidden === true && { hidden: true }),
    ...(json.rightToLeft === true && { rightToLeft: true }),
    ...(style && { tabColorStyle: style }),
    ...(typeof grid.frozenRowCount === 'number' && { frozenRowCount: grid.frozenRowCount }),
    ...(typeof grid.frozenColumnCount === 'number' && { frozenColumnCount: grid.frozenColumnCount }),
    ...(grid.hideGridlines === true && { hideGridlines: true }),
    ...(grid.rowGroupControlAfter === true && { rowGroupControlAfter: true }),
    ...(grid.columnGroupControlAfter === true && { columnGroupControlAfter: true }),
  }
}
