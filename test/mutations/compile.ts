// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text
import { mutationsOf } from './mutation.ts'

export const compileMutations = mutationsOf('src/server/run-handlers/compile', {
  'compile: a source of lower precedence is selected': [
    'for (const ref of from)\n',
    'for (const ref of from.toReversed())\n',
    'compile/compile.test.ts',
    'compile/merge-property.test.ts',
  ],
  'compile: a blank cell is selected': [
    'this.#cells.isFilled(ref) &&\n',
    '',
    'compile/compile.test.ts',
    'compile/settings.test.ts',
  ],
  'compile: the fields of a group come from several sources': [
    '(groupSource === undefined || ref.source === groupSource) &&\n',
    '',
    'compile/settings.test.ts',
  ],
  'compile: the priority of a field is ignored': [
    '[...first, ...own.filter((id) => !first.includes(id))])',
    'first)',
    'compile/settings.test.ts',
  ],
  'compile: a blank field that is not required counts as a blank': [
    'merged.has_blanks ||= fields[n]?.is_required === true',
    'merged.has_blanks = true',
    'compile/settings.test.ts',
  ],
  'compile: a failed error check does not count as an error': [
    'if (is_error) this.#flagged.has_errors.add(row_no - 1)',
    '',
    'compiler/field-checks.test.ts',
  ],
  'compile: a duplicate SKU in a source is not flagged': [
    'merged.is_duplicate ||= isDuplicate',
    '',
    'compiler/quality.test.ts',
    'compile/settings.test.ts',
  ],
  'compile: an unchanged record counts as changed': [
    'previous.is_same = this.#settings.same_fields && previous.hasFingerprint(this.#row.fingerprint)',
    'previous.is_same = false',
    'compile/compile.test.ts',
    'compile/unchanged-records.test.ts',
  ],
  'compile: a padded number matches without its zeros': [
    '(padded === null ? undefined : mappings.get(padded)) ?? mappings.get(sku) ?? padded ?? sku',
    '(padded === null ? undefined : mappings.get(padded)) ?? mappings.get(sku) ?? sku',
    'compiler/padded-skus.test.ts',
  ],
  'compile: two columns of a source for one field are accepted': [
    '  if (others.length > 0)\n    throw new RunFailure(\n      `‘${source}’ has ${found.length} columns named',
    '  if (others.length > 99)\n    throw new RunFailure(\n      `‘${source}’ has ${found.length} columns named',
    'compile/compile.test.ts',
    'compile/settings.test.ts',
  ],
  'compile: rows without a SKU are skipped without a warning': [
    'if (rows > 0) await warnWithoutSku(',
    'if (rows < 0) await warnWithoutSku(',
    'compile/compile.test.ts',
  ],
})

export const skuMutations = mutationsOf('src/server/snapshots', {
  'compile: SKUs in different Unicode normalization forms do not match': [
    "sku.normalize('NFC').trim()",
    'sku.trim()',
    'compile/settings.test.ts',
  ],
})
