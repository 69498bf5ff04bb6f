import { describe, expect, test } from 'vitest'
import { parseGoogleError } from './errors.ts'

const body = (code: number, status: string, message: string, reason?: string) =>
  JSON.stringify({ error: { code, status, message, ...(reason && { details: [{ '@type': 'x', reason }] }) } })
const parsed = (status: number, text: string) =>
  parseGoogleError(status, text, { account: 'ada@example.com' })

describe('a transient failure, after which the request is repeated, is', () => {
  test.each([
    [
      'an exhausted quota',
      429,
      body(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded', 'RATE_LIMIT_EXCEEDED'),
      false,
    ],
    [
      'an exhausted quota of Drive',
      403,
      JSON.stringify({ error: { errors: [{ reason: 'userRateLimitExceeded' }] } }),
      false,
    ],
    ['an internal error', 500, body(500, 'INTERNAL', 'Internal error encountered.'), true],
    ['an outage', 503, body(503, 'UNAVAILABLE', 'The service is currently unavailable.'), true],
    ['a gateway’s own page', 502, '<html>Bad Gateway</html>', true],
    ['a request that took too long', 408, '', true],
  ])('%s', (_, status, text, ambiguous) => {
    expect(parsed(status, text)).toMatchObject({
      transient: true,
      ambiguous,
      failure: { kind: 'unavailable' },
    })
  })
})

describe('a final failure names its reason:', () => {
  test.each([
    [
      'forbidden',
      403,
      body(403, 'PERMISSION_DENIED', 'The caller does not have permission'),
      /ada@example.com may not open this spreadsheet: ask its owner for access, or choose another account/,
    ],
    [
      'reconnect',
      403,
      body(403, 'PERMISSION_DENIED', 'Insufficient', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'),
      /has not granted access/,
    ],
    [
      'not_found',
      404,
      body(404, 'NOT_FOUND', 'Requested entity was not found.'),
      /no spreadsheet with this id/,
    ],
    [
      'invalid',
      400,
      body(400, 'FAILED_PRECONDITION', 'This operation is not supported for this document'),
      /not a Google spreadsheet/,
    ],
    [
      'tab_gone',
      400,
      body(400, 'INVALID_ARGUMENT', 'Unable to parse range: Gone!A1:B2'),
      /A tab was renamed or deleted/,
    ],
    [
      'tab_gone',
      400,
      body(400, 'INVALID_ARGUMENT', 'Invalid requests[0].copyPaste: No grid with id: 7'),
      /A tab was renamed or deleted/,
    ],
    [
      'too_large',
      400,
      body(
        400,
        'INVALID_ARGUMENT',
        'This action would increase the number of cells in the workbook above the limit of 10000000 cells.',
      ),
      /10000000 cells/,
    ],
    [
      'invalid',
      400,
      body(400, 'INVALID_ARGUMENT', 'Something else'),
      /Google refused the request \(400\): Something else/,
    ],
  ] as const)('%s', (kind, status, text, message) => {
    const { transient, failure } = parsed(status, text)
    expect({ transient, kind: failure.kind }).toEqual({ transient: false, kind })
    expect(failure.message).toMatch(message)
  })

  test('an access token that is rejected is renewed first', () => {
    expect(parsed(401, body(401, 'UNAUTHENTICATED', 'Invalid credentials'))).toMatchObject({
      transient: false,
      renewToken: true,
    })
  })
})
