import { Readable } from 'node:stream'

// V8 keeps longer strings until a full garbage collection.
const ITEMS_IN_A_TEXT = 50

/** A JSON object with one list that is sent while it is read, because it does not fit into memory. */
export class StreamedReply<T extends object> {
  readonly fields: Partial<T>
  readonly list: keyof T & string
  readonly items: AsyncIterable<readonly object[]>

  constructor(fields: Partial<T>, list: keyof T & string, items: AsyncIterable<readonly object[]>) {
    this.fields = fields
    this.list = list
    this.items = items
  }
}

/** The text of a streamed reply. Rejects if the first items cannot be read; a later error truncates the text. */
export async function jsonStream<T extends object>({
  fields,
  list,
  items,
}: StreamedReply<T>): Promise<Readable> {
  const batches = items[Symbol.asyncIterator]()
  const first = await batches.next()
  async function* text() {
    const head = JSON.stringify(fields)
    yield `${head.slice(0, -1)}${head === '{}' ? '' : ','}${JSON.stringify(list)}:[`
    let separator = ''
    for (let batch = first; !batch.done; batch = await batches.next())
      for (let at = 0; at < batch.value.length; at += ITEMS_IN_A_TEXT) {
        const items = batch.value.slice(at, at + ITEMS_IN_A_TEXT)
        yield separator + items.map((item) => JSON.stringify(item)).join(',')
        separator = ','
      }
    yield ']}'
  }
  return Readable.from(text(), { objectMode: false })
}
