import { columnLetters } from '../../google-sheets/a1.ts'
import { type CellArea, namedArea } from './cell-area.ts'
import { grownArea } from './grown-areas.ts'
import { addedId } from './new-parts.ts'
import type { OpenXmlPackage, SheetPart } from './open-xml-package.ts'
import { filled, prefixOf, rewritePart } from './rewrite-part.ts'
import { attribute, encodeAttribute, withAttribute } from './xml-text.ts'

/** Elements after the settings of calculation, in the order of the format. */
const AFTER_CALCULATION = new Set([
  'oleSize',
  'customWorkbookViews',
  'pivotCaches',
  'smartTagPr',
  'smartTagTypes',
  'webPublishing',
  'fileRecoveryPr',
  'webPublishObjects',
  'extLst',
])

/** What is written: the area and its tab, whose position counts from 0; `added`: the tab is new. */
type MainChange = { added: Pick<SheetPart, 'name' | 'id' | 'part'> | null; tab: number; written: CellArea }

/** The part that lists the tabs, with a request to compute all formulas when it is opened. Throws OriginFailure. */
export async function rewriteMain({ zip, main }: OpenXmlPackage, change: MainChange): Promise<string> {
  let prefix = ''
  let isRequested = false
  let isFilter = false
  const request = () => {
    isRequested = true
    return `<${prefix}calcPr fullCalcOnLoad="1"/>`
  }
  return rewritePart(zip.source(main), {
    open(name, tag, depth) {
      if (depth === 0) prefix = prefixOf(tag)
      if (depth === 1 && name === 'calcPr') {
        isRequested = true
        return withAttribute(tag, 'fullCalcOnLoad', '1')
      }
      if (name === 'sheets' && tag.endsWith('/>')) return filled(name, tag, sheetTag(change.added, prefix))
      if (name === 'definedName') isFilter = isFilterOf(tag, change.tab)
      return depth === 1 && !isRequested && AFTER_CALCULATION.has(name) ? request() + tag : tag
    },
    text: (text) => (isFilter ? grownName(text, change.written) : text),
    close(name, tag, depth) {
      if (name === 'definedName') isFilter = false
      if (depth === 1 && name === 'sheets') return sheetTag(change.added, prefix) + tag
      return depth === 0 && !isRequested ? request() + tag : tag
    },
  })
}

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const sheetTag = (sheet: MainChange['added'], prefix: string) =>
  sheet === null
    ? ''
    : `<${prefix}sheet xmlns:rel="${RELATIONSHIPS}" name="${encodeAttribute(sheet.name)}" sheetId="${sheet.id}" rel:id="${encodeAttribute(addedId(sheet))}"/>`

const isFilterOf = (tag: string, tab: number) =>
  attribute(tag, 'name') === '_xlnm._FilterDatabase' && attribute(tag, 'localSheetId') === String(tab)

/** The name of a filter's area, such as Prices!$A$1:$C$9, which grows as the filter does. */
function grownName(text: string, written: CellArea): string {
  const { area } = namedArea(text)
  const grown = area && grownArea(area, written)
  if (!grown) return text
  const fixed = (row: number, column: number) => `$${columnLetters(column)}$${row + 1}`
  const tab = text.slice(0, text.lastIndexOf('!') + 1)
  return `${tab}${fixed(grown.top, grown.left)}:${fixed(grown.bottom, grown.right)}`
}
