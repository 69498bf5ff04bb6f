import { mutationsOf } from './mutation.ts'

export const copyMutations = mutationsOf('src/server/run-handlers/copy', {
  'copy: an empty source empties the target': [
    'if (copy.fingerprint.rows > 1 || target_rows <= 1) return null',
    'if (copy.fingerprint.rows >= 0) return null',
    'rules.test.ts',
  ],
  'copy: a tab is copied onto itself': [
    'if (source.bound?.place === bound.place && isSameSpreadsheet(definition)) {',
    "if (source.title === '') {",
    'copy/test/tabs.test.ts',
  ],
  'copy: two runs write to one tab': [
    'await context.lockKey(targetKey(spreadsheet_id, bound.place))',
    '',
    'copy/test/exclusive-key.test.ts',
  ],
  'copy: a target that does not hold what was written is a success': [
    'if (difference.cells_changed === 0) return difference',
    'if (difference.cells_changed >= 0) return difference',
    'copy/test/edits.test.ts',
  ],
  'copy: a confirmed replacement holds for other cells as well': [
    'if (hash === definition.replace) {',
    'if (definition.replace !== null) {',
    'copy/test/unowned-cells.test.ts',
  ],
  'copy: a formula in an owned cell stays': ['await diff.addFormulas()', '', 'copy/test/formulas.test.ts'],
  'copy: the image of the target before the run is lost': [
    '...(before_snapshot_id !== null && { before_snapshot_id })',
    '',
    'copy/test/copy.test.ts',
  ],
  'copy: a source that changed while it was read is a success': [
    'if (unsettled) {',
    'if (unsettled && notes.errors.count > 0) {',
    'copy/test/edits.test.ts',
  ],
  'copy: a text longer than a cell is written': [
    'error: notes.tooLong.count > 0 ? tooLong : null',
    'error: notes.tooLong.count > 0 && requests < 0 ? tooLong : null',
    'rules.test.ts',
  ],
  'copy: the fields of a preset are copied': [
    'const isExcluded = (column: number) => excluded.has(',
    'const isExcluded = (column: number) => column < 0 && excluded.has(',
    'copy/test/ownership.test.ts',
    'copy/test/written-otherwise.test.ts',
  ],
  'copy: cells beside the owned columns are written over': [
    "return this.#beside.size > 0 ? this.#conflict('beside', this.#beside) : null",
    'return null',
    'copy/test/unowned-cells.test.ts',
  ],
})
