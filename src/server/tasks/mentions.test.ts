import { describe, expect, test } from 'vitest'
import { mentionedUsers } from './mentions.ts'

const users = [
  { id: 1, name: 'Ada', email: 'ada@example.com' },
  { id: 2, name: 'Ada Byron', email: 'ada@example.com.au' },
  { id: 3, name: 'Žofie Nováková', email: 'zofie+shop@example.com' },
  { id: 4, name: 'Sam', email: 'sam.one@example.com' },
  { id: 5, name: 'Sam', email: 'sam.two@example.com' },
  { id: 6, name: '', email: 'nameless@example.com' },
]

describe('a mention', () => {
  test.each([
    ['a name', 'Ask @Ada about it', [1]],
    ['at the start and the end of the notes', '@ada', [1]],
    ['the longest name', 'Ask @Ada Byron.', [2]],
    ['an address', '(@ada@example.com)', [1]],
    ['a longer address', '@ada@example.com.au, please', [2]],
    ['an address at the end of a sentence', 'Ask @ada@example.com.', [1]],
    ['letters of any language, in any case', '**@žofie NOVÁKOVÁ**', [3]],
    ['an address with a plus', '@zofie+shop@example.com', [3]],
    ['a name that two users have', '@Sam', [4, 5]],
    ['of the two, an address', '@sam.two@example.com', [5]],
    ['a user without a name', '@nameless@example.com', [6]],
    ['several, each once', '@Sam, @Ada and @ada again', [4, 5, 1]],
    ['in a list of Markdown', '- @Ada\n- @Ada Byron', [1, 2]],
  ])('is %s', (_, notes, ids) => {
    expect(mentionedUsers(notes, users)).toEqual(ids)
  })

  test.each([
    ['a mail address', 'Write to ada@example.com'],
    ['the start of a longer word', '@Adamant'],
    ['a name with a hyphenated rest', '@Ada-Lovelace'],
    ['an @ alone', 'at 3 @ 5, @'],
    ['a blank after the @', '@ Ada'],
    ['a name without @', 'Ada'],
    ['an unknown name', '@Eve'],
  ])('is not %s', (_, notes) => {
    expect(mentionedUsers(notes, users)).toEqual([])
  })
})
