// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text
import { mutationsOf } from './mutation.ts'

export const compileMutations = mutationsOf('src/server/run-handlers/compile', {
  'compile: a later source wins': [
    'for (const ref of from)\n',
    'for (const ref of from.toReversed())\n',
    'compile/compile.test.ts',
    'compile/merge-property.test.ts',
  ],
  'compile: a blank cell wins': [
    '(groupSource === undefined || ref.source === groupSource) && this.#cells.isFilled(ref)',
    'groupSource === undefined || ref.source === groupSource',
    'compile/compile.test.ts',
    'compile/settings.test.ts',
  ],
  'compile: the fields of a group come from several sources': [
    'if ((groupSource === undefined || ref.source === groupSource) && ',
    'if (',
    'compile/settings.test.ts',
  ],
  'compile: the priority of a field is ignored': [
    'return [...named, ...others]',
    'return sources.map((_, index) => index)',
    'compile/settings.test.ts',
  ],
  'compile: a blank field that is not required counts as a blank': [
    'merged.has_blanks ||= field?.is_required === true',
    'merged.has_blanks = true',
    'compile/settings.test.ts',
  ],
  'compile: a SKU that a source has twice is not flagged': [
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
  'compile: SKUs of other Unicode forms do not match': [
    "sku.normalize('NFC').trim()",
    'sku.trim()',
    'compile/settings.test.ts',
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
  'compile: rows without a SKU are left out silently': [
    'if (rows > 0) await warnWithoutSku(',
    'if (rows < 0) await warnWithoutSku(',
    'compile/compile.test.ts',
  ],
})
