import { mutationsOf } from './mutation.ts'

export const copyMutations = mutationsOf('src/server/run-handlers/copy', {
  'copy: an empty source empties the target': [
    'if (copy.fingerprint.rows > 1 || target_rows <= 1) return null',
    'if (copy.fingerprint.rows >= 0) return null',
    'rules.test.ts',
  ],
  'copy: a tab is copied onto itself': [
    'if (isTarget || (source.identity?.tab_id === tab_id && isSameSpreadsheet(definition)))',
    "if (source.title === '')",
    'copy/test/tabs.test.ts',
  ],
  'copy: two runs write to one tab': [
    'await context.lockKey(targetKey(spreadsheet_id, identity.tab_id))',
    '',
    'copy/test/exclusive-key.test.ts',
  ],
  'copy: a target that differs from the written rows is a success': [
    'if (difference.cells_changed === 0) return difference\n    const { matched',
    'if (difference.cells_changed >= 0) return difference\n    const { matched',
    'copy/test/edits.test.ts',
  ],
  'copy: a confirmed replacement also applies to other cells': [
    'if (hash === definition.replace) {',
    'if (definition.replace !== null) {',
    'copy/test/unowned-cells.test.ts',
  ],
  'copy: a formula in an owned cell is not replaced': [
    'await diff.addFormulas()',
    '',
    'copy/test/formulas.test.ts',
  ],
  'copy: the before image of the target is not stored': [
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
    'const isExcluded = (column: number) => fields.has(',
    'const isExcluded = (column: number) => column < 0 && fields.has(',
    'copy/test/ownership.test.ts',
    'copy/test/written-otherwise.test.ts',
  ],
  'copy: cells outside the owned columns are overwritten': [
    "return this.#extra.size > 0 ? this.#conflict('extra_columns', this.#extra) : null",
    'return null',
    'copy/test/unowned-cells.test.ts',
  ],
  'copy: a commit that Google refused as a whole counts as written': [
    'await keeper.save({ commit: null, by_key: null, before_snapshot_id: null, row_commit: null })',
    'await Promise.resolve()',
    'copy/test/resized.test.ts',
  ],
  'copy: tabs whose differences do not fit one commit are sent in one': [
    '(parts.length === prepared.length && fractionOf(parts) <= 1)',
    'parts.length === prepared.length',
    'copy/test/split-together.test.ts',
  ],
  'copy: a row of data is taken for a header that has moved up': [
    'if (isInPlace && missing === undefined) return',
    'if (missing === undefined || !isInPlace) return',
    'copy/test/colleague-edits-by-mode.test.ts',
  ],
  'copy: a write in place of an earlier release counts as a commit of values and formats': [
    "commit !== null && commit.mode !== 'in_place' && commit.cells_changed > 0",
    'commit !== null && commit.cells_changed > 0',
    'copy/test/mixed-formats-faults.test.ts',
  ],
})

export const matchedMutations = mutationsOf('src/server/run-handlers/copy', {
  'matched rows: a row that was cleared right before a commit keeps what it wrote': [
    'if (!isFilled(former) || isFilled(present)) return []',
    'if (!isFilled(former) || !isFilled(present)) return []',
    'copy/arrange/arrange.test.ts',
  ],
  'matched rows: a plan is not repaired after a sort': [
    'if (plan?.written && before_plan)',
    'if (plan?.written && !before_plan)',
    'copy/test/staged-matches.test.ts',
  ],
  'matched rows: a repaired plan writes over cells that it does not change': [
    "columnsOf: definition.write_mode === 'replace' ? () => written.columns : plan.changesOf",
    'columnsOf: () => written.columns',
    'copy/test/matched-rows-races.test.ts',
  ],
  'takeover: what the commit before it wrote over is not put back': [
    'const restore = commit ? (now: TargetRows) => restoreRows(commit, now) : nothingToRestore',
    'const restore = nothingToRestore',
    'copy/test/takeover-races.test.ts',
  ],
  'takeover: a commit that was never sent counts as written': [
    'if (places.length === 0 && restoring.size === 0) return found',
    'if (now.length < 0) return found',
    'copy/arrange/arrange.test.ts',
  ],
  'takeover: what stood beside rows that were cleared is unknown': [
    'beside: isCleared ? besideOf(rows, from) : null',
    'beside: isCleared ? null : besideOf(rows, from)',
    'copy/test/takeover-races.test.ts',
  ],
  'repair: what it was to restore is not known after it': [
    'const isRestored = restoring.has(from)',
    'const isRestored = restoring.has(-from)',
    'copy/arrange/arrange.test.ts',
    'copy/test/repair-races.test.ts',
  ],
  'repair: it is not stored before it is sent': [
    'row_commit: storedCommit({ ...arranged,',
    'by_key: keeper.value.by_key, ...storedCommit({ ...arranged,',
    'copy/test/repair-races.test.ts',
  ],
  'repair: a blank row that it was to restore has no place': [
    'if (missing.has(from) && isBlank(before.row(from)))',
    'if (missing.has(from) && !isBlank(before.row(from)))',
    'copy/arrange/arrange.test.ts',
  ],
  'plan: a column that was moved meanwhile is written into': [
    'return place >= 0 && place !== column',
    'return place < 0 && place !== column',
    'copy/test/takeover-races.test.ts',
  ],
  'takeover: rows by key are counted by what is left to do': [
    'keeper.value.by_key ?? tables.matched?.by_key',
    'tables.matched?.by_key',
    'copy/test/resumed-matches.test.ts',
  ],
  'undo: a row that runs have never written is restored, too': [
    'if (key === null || !(changes.has(key) || unchanged.has(key))) continue',
    'if (key === null) continue',
    'copy/read/restored-rows.test.ts',
  ],
  'undo: a row that others have edited is cleared': [
    'if (keepsEdits && edited.length > 0) {',
    'if (!keepsEdits && edited.length > 0) {',
    'copy/read/restored-rows.test.ts',
  ],
  'undo: a cleared row comes back into the place of another one': [
    'if (row > now.length || this.#found.changed.has(row)) return false',
    'if (row >= 0) return true',
    'copy/read/restored-rows.test.ts',
  ],
  'rows by key: the key of a known row is rewritten': [
    'cells[place] = held[place] ?? null',
    'cells[place] = copied[column] ?? null',
    'copy/arrange/arrange.test.ts',
  ],
  'rows by key: a mark of a person is replaced': [
    'if (mark === null || (held[mark] ?? null) !== null) return held',
    'if (mark === null) return held',
    'copy/arrange/arrange.test.ts',
  ],
  'rows by key: a cleared row loses the cells of other people': [
    'trimmed(withCells(held, [], placeOf))',
    'trimmed(withCells([], [], placeOf))',
    'copy/arrange/arrange.test.ts',
  ],
  'rows by key: a new row blanks what is prepared beside it': [
    'trimmed(withCells(beside, copied, placeOf))',
    'trimmed(withCells([], copied, placeOf))',
    'copy/arrange/arrange.test.ts',
  ],
  'rows by key: a row whose key is repeated is updated': [
    'else rows.set(key, known === undefined ? index + 1 : [known, index + 1])',
    'else rows.set(key, index + 1)',
    'copy/arrange/match-rows.test.ts',
  ],
  'rows by key: rows of other people are missing': [
    'else if (wasWritten(key)) sourceOf[row - 1] = MISSING',
    'else sourceOf[row - 1] = MISSING',
    'copy/arrange/match-rows.test.ts',
  ],
  'rows by key: a row that was written over is not put back': [
    'if (lost.length === 0) return',
    'if (lost.length >= 0) return',
    'copy/arrange/arrange.test.ts',
  ],
  'rows by key: rows that a commit left alone are looked for in its places': [
    'if (from === null) continue\n      known.add(place)',
    'known.add(place)',
    'copy/arrange/arrange.test.ts',
  ],
  'rows by key: new rows are not inserted': [
    ': sourceOf.length + 1,',
    ': null,',
    'copy/test/write-modes.test.ts',
  ],
  'rows by key: a prepared checkbox is a part of the table': [
    'cell === null || cell === false',
    'cell === null',
    'copy/test/write-modes.test.ts',
  ],
  'rows by key: a note below the table is no part of it': [
    'if (below.has(row) && !cells.every(isUnfilled)) end',
    'if (row < 0) end',
    'copy/test/write-modes.test.ts',
  ],
  'cells beside: those between columns do not count': [
    'const first = others[0] ?? width',
    'const first = width',
    'copy/test/cells-beside.test.ts',
  ],
  'cells beside: a row that only changed has left its place': [
    'const found = beside.filter(({ row }) => leaving.has(row))',
    'const found = beside.filter(({ row }) => row > 0)',
    'copy/test/many-cells-beside.test.ts',
  ],
})

export const targetMutations = mutationsOf('src/server/connectors/google-sheets', {
  'copy: the rows that differ are resumed as if they were the whole table': [
    "resumable: plan.kind !== 'rows'",
    'resumable: true',
    'copy/test/differing-rows.test.ts',
  ],
})
