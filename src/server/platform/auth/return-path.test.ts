import { expect, test } from 'vitest'
import { localPath } from './return-path.ts'

test.each([
  ['/sync_tasks', '/sync_tasks'],
  ['/sync_tasks/3/logs?level=ERROR#top', '/sync_tasks/3/logs?level=ERROR#top'],
  ['/a/../b', '/b'],
  ['/', '/'],
  ['/?next=//evil.example', '/?next=//evil.example'],
  ['/a%20b/%C3%BC', '/a%20b/%C3%BC'],
  ['/sync_tasks?q=100%25', '/sync_tasks?q=100%25'],
])('%s is a path within the app', (text, path) => {
  expect(localPath(text)).toBe(path)
})

test.each([
  undefined,
  '',
  'sync_tasks',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/%2f%2fevil.example',
  '/%2F/evil.example',
  '/%5Cevil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/auth/logout',
  '/auth/login?return_to=/x',
  '/AUTH/logout',
  '/x/../auth/logout',
  '/%61uth/logout',
  '/%2561uth/logout',
  '/%25252561uth/logout',
  '/x%2f..%2fauth/logout',
  '/x%2f..%2f%2fevil.example',
  '/%255cevil.example',
  '/%09/evil.example',
  '/%00',
  '/%E0%A4%A',
  '/auth%2flogin',
])('%j leads to another site or back to sign-in, and is refused', (text) => {
  expect(localPath(text)).toBeUndefined()
})
