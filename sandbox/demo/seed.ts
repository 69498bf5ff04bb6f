import type { Identity } from '../identity/identity.ts'
import type { Books } from '../sheets/books.ts'
import { contentRows, masterRows, priceRows, type Rows, stockRows } from './catalogue.ts'

const people = [
  { email: 'ada@example.com', name: 'Ada Fields', hd: null },
  { email: 'ben@example.com', name: 'Ben Harbour', hd: null },
  { email: 'cleo@northwind.example', name: 'Cleo Marsh', hd: 'northwind.example' },
]

/** Fixed ids of the demo spreadsheets, for use in tutorials. */
export const demoIds = {
  master: '1Demo-CatalogueMaster-0000000000000000000001',
  prices: '1Demo-SupplierAPrices-0000000000000000000002',
  stock: '1Demo-SupplierBStock--0000000000000000000003',
  content: '1Demo-SupplierCContent-000000000000000000004',
  shop: '1Demo-WebShop---------0000000000000000000005',
} as const

/** Creates the demo accounts, and the demo catalogue if there are no spreadsheets. */
export function seedDemo(identity: Identity, books: Books): void {
  for (const { email, name, hd } of people) {
    if (identity.findAccount(email) === undefined) identity.account(email, { name, hd })
  }
  for (const _ of books.all()) return
  seedCatalogue(books)
}

/** Deletes all spreadsheets and recreates the demo catalogue. */
export function resetSpreadsheets(books: Books): void {
  for (const { id } of [...books.all()]) books.delete(id)
  seedCatalogue(books)
}

function seedCatalogue(books: Books): void {
  const owner = 'ada@example.com'
  const writers = ['ben@example.com']
  const make = (id: string, title: string, tab: string, rows: Rows) =>
    books.create({
      id,
      title,
      owner,
      writers,
      sheets: [{ title: tab, rowCount: Math.max(1_000, rows.length), columnCount: 26, rows }],
    })
  make(demoIds.master, 'Catalogue master', 'Products', masterRows())
  make(demoIds.prices, 'Supplier A prices', 'Prices', priceRows())
  make(demoIds.stock, 'Supplier B stock', 'Stock', stockRows())
  make(demoIds.content, 'Supplier C content', 'Content', contentRows())
  make(demoIds.shop, 'Web shop', 'Products', [])
}
