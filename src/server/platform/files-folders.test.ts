import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { ConfigError } from './environment.ts'

const secret = { SECRET_KEY: 'a key of the tests, long enough for the rule' }
const foldersOf = (text?: string, data = '/srv/data') =>
  readConfig({ ...secret, DATA_DIR: data, ...(text !== undefined && { FILES_FOLDERS: text }) }).filesFolders

test('folders of files have a name, a path, and can be read only unless they say otherwise', () => {
  expect(foldersOf('Suppliers=/mnt/suppliers, Out put=/mnt/out/:rw,Old=/mnt/old:ro')).toEqual([
    { name: 'Suppliers', path: '/mnt/suppliers', writable: false },
    { name: 'Out put', path: '/mnt/out/', writable: true },
    { name: 'Old', path: '/mnt/old', writable: false },
  ])
  const own = [{ name: 'Files', path: '/srv/data/files', writable: true }]
  expect(foldersOf()).toEqual(own)
  expect(foldersOf(' ')).toEqual(own)
})

test.each([
  ['Suppliers', /must be NAME=\/PATH or NAME=\/PATH:rw, separated by commas; "Suppliers" is neither/],
  ['A=/a,', /"" is neither/],
  ['A/B=/a', /the name "A\/B" must be 1 to 60 letters/],
  ['..=/a', /the name "\.\." must be/],
  ['A=/a,a=/b', /has the name "a" twice/],
  ['uploads=/a', /must not have the name uploads, which uploaded files have/],
  ['A=mnt/a', /the path of A must be absolute/],
  ['A=/srv', /FILES_FOLDERS: A must neither contain DATA_DIR nor be in it/],
  ['A=/', /must neither contain DATA_DIR/],
  ['A=/srv/data/sandbox', /must neither contain DATA_DIR/],
])('FILES_FOLDERS=%s is refused with a reason', (text, message) => {
  expect(() => foldersOf(text)).toThrow(ConfigError)
  expect(() => foldersOf(text)).toThrow(message)
})
