// Parses JSON replies in a separate process. Standard input has a line of JSON per reply, followed by the reply; rows
// are written as lines, then the outcome.
import { OriginFailure } from '../connector.ts'
import { beginWork, send, watchLimits } from '../isolated/inside.ts'
import { ParseRequest } from './parse-messages.ts'
import { parsePage } from './parse-page.ts'
import { BriefFailure } from './refusals.ts'

const LINE_END = 0x0a
const BATCH_BYTES = 65_536

watchLimits()
let request: ParseRequest | null = null
let pieces: Buffer[] = []
let size = 0
for await (const piece of process.stdin) {
  pieces.push(piece)
  size += piece.length
  while (isComplete()) takeOn()
}
process.exit(0)

/** Whether the expected line or reply is complete. */
function isComplete(): boolean {
  return request ? size >= request.bytes : pieces.some((piece) => piece.includes(LINE_END))
}

function takeOn(): void {
  const whole = Buffer.concat(pieces)
  const end = request ? request.bytes : whole.indexOf(LINE_END) + 1
  const part = whole.subarray(0, end)
  pieces = [whole.subarray(end)]
  size = whole.length - end
  if (request) {
    beginWork()
    parse(request, part.toString('utf8'))
    request = null
  } else request = ParseRequest.parse(JSON.parse(part.toString('utf8')))
}

function parse({ settings, headers, url, isFirst, columns }: ParseRequest, text: string): void {
  try {
    const job = { settings, reply: { headers, url: new URL(url) }, isFirst, columns }
    const { rows, ...page } = parsePage(job, text)
    sendRows(rows)
    send(`${JSON.stringify(page)}\n`)
  } catch (error) {
    if (!(error instanceof OriginFailure)) throw error
    const tries = error instanceof BriefFailure ? error.tries : null
    send(`${JSON.stringify({ kind: error.kind, message: error.message, tries })}\n`)
  }
}

function sendRows(rows: readonly Uint8Array[]): void {
  let batch: Uint8Array[] = []
  let bytes = 0
  for (const row of rows) {
    batch.push(row, Uint8Array.of(LINE_END))
    bytes += row.length + 1
    if (bytes < BATCH_BYTES) continue
    send(Buffer.concat(batch))
    batch = []
    bytes = 0
  }
  send(Buffer.concat(batch))
}
