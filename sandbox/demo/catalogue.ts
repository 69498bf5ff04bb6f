import { seededRandom } from '../seeded-random.ts'
import type { CellValue } from '../sheets/model/content.ts'

type Cell = CellValue | { value: CellValue; format: { numberFormat: { type: Kind; pattern: string } } }
type Kind = 'NUMBER' | 'PERCENT' | 'CURRENCY' | 'DATE' | 'TIME' | 'TEXT'
export type Rows = Cell[][]

type Product = { sku: string; name: string; brand: string; category: string; price: number; barcode: string }

const formatted = (type: Kind, pattern: string) => (value: CellValue) => ({
  value,
  format: { numberFormat: { type, pattern } },
})
const euro = formatted('CURRENCY', '#,##0.00 "€"')
const percent = formatted('PERCENT', '0.0%')
const date = formatted('DATE', 'yyyy-mm-dd')
const duration = formatted('TIME', '[h]:mm:ss')
const kilos = formatted('NUMBER', '0.000')

const bases = [
  ['Hammer', 'Tools', 14.9],
  ['Cordless drill', 'Tools', 89],
  ['Socket set', 'Tools', 54.5],
  ['Spirit level', 'Tools', 22.75],
  ['Watering can', 'Garden', 17.2],
  ['Hedge shears', 'Garden', 31.4],
  ['Planter', 'Garden', 12.6],
  ['Garden hose', 'Garden', 27.95],
  ['Desk lamp', 'Lighting', 39],
  ['LED strip', 'Lighting', 19.99],
  ['Pendant light', 'Lighting', 74.5],
  ['Espresso cups', 'Kitchen', 24],
  ['Chopping board', 'Kitchen', 18.3],
  ['Cast iron pan', 'Kitchen', 46.8],
  ['Storage box', 'Home', 9.5],
  ['Door mat', 'Home', 15.25],
] as const
const brands = [
  'Nordvik',
  'Ferrum',
  'Casa Lume',
  'Oak & Ash',
  'Grünwald',
  'Hälsa',
  'Trentino',
  'Kaido',
] as const
const colours = ['black', 'white', 'oak', 'moss green', 'brick red', 'sand', 'steel', 'navy'] as const
const sizes = ['S', 'M', 'L', 'XL', '30 cm', '45 cm', '60 cm', '1/2"'] as const

/** Serial number of 2024-01-01. */
const newYear2024 = 45_292

const cents = (amount: number) => Math.round(amount * 100) / 100

/** Random generator with a seed per sheet, so that each sheet is reproducible. */
function dice(seed: number) {
  const random = seededRandom(seed)
  return {
    random,
    pick: <T>(choices: readonly [T, ...T[]]): T =>
      choices[Math.floor(random() * choices.length)] ?? choices[0],
    chance: (probability: number) => random() < probability,
    day: () => newYear2024 + Math.floor(random() * 700),
  }
}

/** Products that all demo spreadsheets share. */
function makeProducts(count: number): Product[] {
  const { random, pick } = dice(1)
  return Array.from({ length: count }, (_, i) => {
    const [name, category, price] = bases[i % bases.length] ?? bases[0]
    // Supplier codes of the old catalogue are numbers with leading zeros, stored as text.
    const sku = i % 9 === 0 ? String(i + 7).padStart(5, '0') : `RF-${String(10_000 + i * 7)}`
    return {
      sku,
      name: `${name} ${pick(colours)} ${pick(sizes)}`,
      brand: pick(brands),
      category,
      price: cents(price * (0.8 + random() * 0.6)),
      barcode: `0${String(40_123_000_000 + i * 37)}`,
    }
  })
}

const products = makeProducts(1_206)

/** The master: 1,200 products with three duplicate SKUs and some gaps. */
export function masterRows(): Rows {
  const { random, pick, chance, day } = dice(2)
  const rows: Rows = products
    .slice(0, 1_200)
    .map((product, i) => [
      product.sku,
      chance(0.004) ? null : product.name,
      product.brand,
      product.category,
      euro(product.price),
      percent(pick([0, 0, 0.05, 0.1, 0.125, 0.2])),
      chance(0.03) ? null : product.barcode,
      date(day()),
      chance(0.04) ? null : kilos(Math.round(random() * 9_000) / 1_000),
      !chance(0.1),
      i % 40 === 0 ? 'See the note in the shared folder\nbefore ordering' : '',
    ])
  const repeated = [31, 402, 777].flatMap((at) => (rows[at] === undefined ? [] : [rows[at]]))
  return [
    [
      'SKU',
      'Name',
      'Brand',
      'Category',
      'Price',
      'Discount',
      'Barcode',
      'Listed since',
      'Weight (kg)',
      'Active',
      'Remark',
    ],
    ...rows,
    ...repeated,
  ]
}

/**
 * 900 prices; some SKUs have surrounding blanks, some prices are text. Three lookups have failed: their task ends with the one
 * warning of the demo, and the discounts of the master take their place.
 */
export function priceRows(): Rows {
  const { random, pick, chance, day } = dice(3)
  const rows = products.slice(200, 1_100).map((product, i): Cell[] => {
    const cost = cents(product.price * (0.45 + random() * 0.2))
    return [
      chance(0.02) ? ` ${product.sku} ` : product.sku,
      chance(0.015) ? 'on request' : euro(cost),
      percent(pick([0, 0.02, 0.03])),
      [40, 380, 720].includes(i) ? { error: '#N/A' } : percent(pick([0, 0.05, 0.1])),
      pick([1, 1, 6, 10, 12]),
      date(day()),
    ]
  })
  return [['SKU', 'Cost', 'Early payment', 'Discount', 'Pack size', 'Valid from'], ...rows]
}

/** 1,200 stock levels, each of one of two warehouses, whose codes "007" and "012" are text. */
export function stockRows(): Rows {
  const { random, pick, chance, day } = dice(4)
  const rows = products
    .slice(0, 1_200)
    .map((product): Cell[] => [
      product.sku,
      pick(['007', '012']),
      chance(0.02) ? null : Math.floor(random() * 400),
      chance(0.6) ? null : date(day()),
      duration(Math.round(random() * 14 * 24) / 24),
      chance(0.05) ? 'discontinued' : '',
    ])
  return [['SKU', 'Warehouse', 'On hand', 'Next delivery', 'Lead time', 'Note'], ...rows]
}

/** 400 texts with line breaks, accents, emoji, and some that look like formulas. The last six SKUs are missing in the master. */
export function contentRows(): Rows {
  const { pick, chance } = dice(5)
  const rows: Rows = products
    .slice(806, 1_206)
    .map((product, i) => [
      product.sku,
      `${product.brand} ${product.name}`,
      i % 50 === 0
        ? '=see catalogue page 12'
        : `${product.category}: ${product.name.toLowerCase()}.\nMade to last. ${i % 7 === 0 ? '🌱' : ''}`,
      chance(0.05) ? null : `https://images.example.com/${product.sku}.jpg`,
      pick(['Österreich', 'Italia', 'Sverige', '日本', 'España']),
      pick(['1/2', '3/4', '1-2', 'TRUE', '10%']),
    ])
  return [['SKU', 'Title', 'Description', 'Image', 'Origin', 'Fitting'], ...rows]
}
