import { invalid } from '../../google-error.ts'
import type { Context } from '../changes/context.ts'
import type { BookDraft, NamedRange } from '../model/book.ts'
import { parseArea } from '../ranges/a1.ts'
import { namedRangeJson } from '../resource/spreadsheet.ts'
import type { GridRange, RequestArgs } from './shapes.ts'
import { areaOf, blockOf, sheetOf } from './targets.ts'
import { updateMask } from './update-mask.ts'

export function addNamedRange(
  draft: BookDraft,
  { namedRange }: RequestArgs<'addNamedRange'>,
  { random }: Context,
) {
  const { name = '', namedRangeId = String(random()), range } = namedRange
  if (!range) throw invalid('A named range must have a range.')
  if (draft.namedRanges.some((other) => other.namedRangeId === namedRangeId)) {
    throw invalid(`A named range with the ID ${namedRangeId} already exists.`)
  }
  const added = checked(draft, { namedRangeId, name, ...placed(draft, range) })
  draft.namedRanges.push(added)
  return { addNamedRange: { namedRange: namedRangeJson(added) } }
}

export function updateNamedRange(draft: BookDraft, { namedRange, fields }: RequestArgs<'updateNamedRange'>) {
  const mask = updateMask(fields, ['namedRangeId', 'name', 'range'])
  const before = find(draft, namedRange.namedRangeId ?? '')
  const { namedRangeId, name, ...place } = before
  const whole = mask.has('*')
  const after = checked(draft, {
    namedRangeId,
    name: whole || mask.has('name') ? (namedRange.name ?? '') : name,
    ...((whole || mask.has('range')) && namedRange.range ? placed(draft, namedRange.range) : place),
  })
  draft.namedRanges = draft.namedRanges.map((range) => (range === before ? after : range))
  return {}
}

export function deleteNamedRange(draft: BookDraft, { namedRangeId }: RequestArgs<'deleteNamedRange'>) {
  const gone = find(draft, namedRangeId)
  draft.namedRanges = draft.namedRanges.filter((range) => range !== gone)
  return {}
}

function find(draft: BookDraft, id: string): NamedRange {
  const found = draft.namedRanges.find(({ namedRangeId }) => namedRangeId === id)
  if (!found) throw invalid(`No named range with id: ${id}`)
  return found
}

function placed(draft: BookDraft, range: GridRange) {
  const sheet = sheetOf(draft, range.sheetId)
  blockOf(sheet, range)
  return { sheetId: sheet.id, ...areaOf(range) }
}

function checked(draft: BookDraft, range: NamedRange): NamedRange {
  const { name, namedRangeId } = range
  if (
    !/^[\p{L}_][\p{L}\d_]{0,249}$/u.test(name) ||
    parseArea(name) !== null ||
    /^(?:true|false)$/i.test(name)
  ) {
    throw invalid(`The name '${name}' is not valid for a named range.`)
  }
  const lower = name.toLowerCase()
  if (
    draft.namedRanges.some(
      (other) => other.namedRangeId !== namedRangeId && other.name.toLowerCase() === lower,
    )
  ) {
    throw invalid(`A named range with the name '${name}' already exists.`)
  }
  return range
}
