import { expect, test } from 'vitest'
import { parseDisplay } from './list-display.ts'

test.each([
  [null, { group: 'type', is_dense: false }],
  ['{"group":"tag","is_dense":true}', { group: 'tag', is_dense: true }],
  ['{"group":"colour","is_dense":true}', { group: 'type', is_dense: true }],
  ['{"is_dense":"yes"}', { group: 'type', is_dense: false }],
  ['[1]', { group: 'type', is_dense: false }],
  ['{broken', { group: 'type', is_dense: false }],
])('the stored text %s means %j', (text, display) => expect(parseDisplay(text)).toEqual(display))
