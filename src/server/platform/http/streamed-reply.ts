import { Readable } from 'node:stream'

// Longer texts would be kept until all memory is looked through.
const ITEMS_IN_A_TEXT = 50

/** A JSON object one of whose fields is a list that is sent while it is read: longer than anybody holds. */
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

/** The text of a streamed reply. Rejects where its first items cannot be read; a failure after that breaks the text off. */
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
