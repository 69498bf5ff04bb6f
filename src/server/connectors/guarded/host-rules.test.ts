import { expect, test } from 'vitest'
import { parseHostEntry } from './host-entry.ts'
import { judgeAddress, judgeHost } from './host-rules.ts'

const entries = [
  'api.example.com',
  '*.shop.example',
  'müller.example:8443',
  '192.0.2.7',
  '10.1.0.0/16:5432',
  'fd00:1::/32',
  '[2001:db8::1]:8080',
]
const judge = (host: string, port = 443) => judgeHost({ entries }, host, port)

test.each([
  ['api.example.com', 443],
  ['API.Example.com.', 80],
  ['eu.shop.example', 443],
  ['a.b.shop.example', 443],
  ['xn--mller-kva.example', 8443],
  ['müller.example', 8443],
  ['192.0.2.7', 80],
  ['::ffff:192.0.2.7', 80],
  ['3221225991', 80],
  ['10.1.255.255', 5432],
  ['fd00:1:2::3', 1],
  ['2001:0db8::0001', 8080],
])('%s, port %d, is allowed', (host, port) => {
  expect(judge(host, port)).toMatchObject({ ok: true })
})

test.each([
  ['example.com', 443, /^example\.com \(port 443\) is not on the list/],
  ['api.example.com.evil.test', 443, /not on the list/],
  ['evilshop.example', 443, /not on the list/],
  ['shop.example', 443, /not on the list/],
  ['müller.example', 443, /not on the list/],
  ['10.1.0.1', 5433, /10\.1\.0\.1 \(port 5433\) is a private address/],
  ['10.2.0.1', 5432, /private/],
  ['2001:db8::1', 8081, /reserved/],
  ['8.8.8.8', 53, /8\.8\.8\.8 \(port 53\) is an address/],
  ['127.0.0.1', 80, /127\.0\.0\.1 \(port 80\) is a loopback/],
  ['::1', 80, /loopback/],
  ['0', 80, /^0\.0\.0\.0 .* reserved/],
  ['2130706433', 80, /^127\.0\.0\.1 .*loopback/],
  ['0x7f.1', 80, /^127\.0\.0\.1 .*loopback/],
  ['0177.0.0.1', 80, /^127\.0\.0\.1 .*loopback/],
  ['127.1', 80, /^127\.0\.0\.1 .*loopback/],
  ['１２７.0.0.1', 80, /^127\.0\.0\.1 .*loopback/],
  ['::ffff:169.254.169.254', 80, /^169\.254\.169\.254 .*link-local/],
  ['fe80::1', 80, /link-local/],
  ['64:ff9b::7f00:1', 80, /reserved/],
  ['64:ff9b:1::7f00:1', 80, /reserved/],
  ['2002:7f00:1::', 80, /reserved/],
  ['2001::1', 80, /reserved/],
  ['::7f00:1', 80, /reserved/],
  ['::ffff:0:7f00:1', 80, /reserved/],
  ['168.63.129.16', 80, /^168\.63\.129\.16 .* private/],
  ['::ffff:168.63.129.16', 80, /private/],
  ['100.100.100.200', 80, /private/],
  ['192.0.0.192', 80, /private/],
  ['fd00:ec2::254', 80, /private/],
  ['localhost', 80, /not on the list/],
  ['', 80, /not the name or address/],
  ['a/b', 80, /not the name or address/],
  ['api.example.com@127.0.0.1', 80, /not the name or address/],
  ['api.example.com#', 80, /not the name or address/],
  ['fe80::1%eth0', 80, /not the name or address/],
  ['api.exa mple.com', 80, /not the name or address/],
])('%s, port %d, is refused with a clear message', (host, port, message) => {
  expect(judge(host, port)).toEqual({ ok: false, message: expect.stringMatching(message) })
})

test('each address of an allowed name must be public or listed itself', () => {
  const ask = (address: string, port = 5432) => judgeAddress({ entries }, 'api.example.com', address, port)
  expect(ask('93.184.216.34')).toBeNull()
  expect(ask('2606:2800:220:1::1')).toBeNull()
  expect(ask('10.1.2.3')).toBeNull()
  expect(ask('10.1.2.3', 80)).toBe(
    'api.example.com leads to 10.1.2.3, a private address that is not on the list of allowed hosts.',
  )
  expect(ask('127.0.0.1')).toMatch('loopback')
  expect(ask('::ffff:10.9.9.9')).toMatch('private')
  expect(ask('169.254.169.254')).toMatch('link-local')
  expect(ask('no address')).toMatch('reserved')
  expect(ask('168.63.129.16')).toMatch('private')
  expect(ask('192.0.0.192')).toMatch('private')
  expect(ask('fd00:ec2::254')).toMatch('private')
  expect(ask('100.100.100.200')).toMatch('private')
  expect(ask('64:ff9b::a00:1')).toMatch('reserved')
  expect(ask('64:ff9b:1::a00:1')).toMatch('reserved')
  expect(ask('2002:a00:1::')).toMatch('reserved')
  expect(ask('::a00:1')).toMatch('reserved')
})

test.each([
  ['API.example.com', 'api.example.com'],
  ['*.Example.com:443', '*.example.com:443'],
  ['[::1]', '::1'],
  ['[0::1]:80', '[::1]:80'],
  ['fd00::/8', 'fd00::/8'],
  ['[fd00::/8]:5432', '[fd00::/8]:5432'],
  ['127.1:80', '127.0.0.1:80'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['93.184.0.0/16', '93.184.0.0/16'],
  ['fc00::/7', 'fc00::/7'],
  ['2600::/12', '2600::/12'],
  ['168.63.129.16', '168.63.129.16'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
])('the entry %s is stored as %s', (entry, kept) => {
  expect(parseHostEntry(entry)?.text).toBe(kept)
})

test('a stored range that is now too wide allows nothing', () => {
  expect(judgeHost({ entries: ['0.0.0.0/0', '::/0'] }, '10.0.0.1', 443)).toMatchObject({ ok: false })
  expect(judgeAddress({ entries: ['64:ff9b::/96', '2000::/3'] }, 'a.example', '64:ff9b::a00:1', 443)).toMatch(
    'reserved',
  )
})

test.each([
  '',
  '*',
  '*.',
  '*.*.com',
  'a.*.com',
  'http://a.com',
  'a.com:0',
  'a.com:65536',
  'a.com:b',
  '10.0.0.0/33',
  '[a.com]:80',
  '[::1',
  '*.1.2.3.4',
  'a.com/24',
  '0.0.0.0/0',
  '0.0.0.0/0:443',
  '8.0.0.0/6',
  '192.168.0.0/15',
  '128.0.0.0/1',
  '::/0',
  '[::/0]:443',
  'f000::/4',
  '64:ff9b::/96',
  '64:ff9b::/120',
  '64:ff9b::a00:1',
  '[64:ff9b::a00:1]:443',
  '64:ff9b:1::/48',
  '64:ff9b:1:2::/64',
  '::ffff:0:0/96',
  '::ffff:10.0.0.0/104',
  '2002::/16',
  '2002:a00::/24',
  '2001::/32',
  '::/96',
  '2000::/3',
  '168.63.0.0/16',
  '192.0.0.0/24',
])('%s is not a valid entry', (entry) => {
  expect(parseHostEntry(entry)).toBeNull()
})
