import { isJson, type Json } from '../model/json.ts'

type PlainRow = {
  values?: {
    userEnteredValue?: {
      stringValue?: string
      formulaValue?: string
      numberValue?: number
      boolValue?: boolean
    }
  }[]
}

/**
 * Whether that is a RowData, in its proto's JSON names and without nulls, whose cells bring nothing but entered values. By hand: one
 * request may have hundreds of thousands of cells, and nearly always they are like that.
 */
export function isPlainRow(row: unknown): row is PlainRow {
  if (!isJson(row)) return false
  for (const name in row) if (name !== 'values') return false
  const { values } = row
  return values === undefined || (Array.isArray(values) && values.every(isPlainCell))
}

function isPlainCell(cell: unknown): boolean {
  if (!isJson(cell)) return false
  for (const name in cell) if (name !== 'userEnteredValue') return false
  const { userEnteredValue } = cell
  return userEnteredValue === undefined || (isJson(userEnteredValue) && isPlainValue(userEnteredValue))
}

function isPlainValue(value: Json): boolean {
  for (const name in value) {
    const given = value[name]
    if (name === 'stringValue' || name === 'formulaValue') {
      if (typeof given !== 'string') return false
    } else if (name === 'numberValue') {
      if (!Number.isFinite(given)) return false
    } else if (name !== 'boolValue' || typeof given !== 'boolean') return false
  }
  return true
}
