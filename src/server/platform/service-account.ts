import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError } from './environment.ts'

/** A Google service account of this installation, which signs its own access requests. */
export type ServiceAccount = {
  /** Lower case. */
  email: string
  /** A KeyObject prints without its content, so it cannot be logged by accident. */
  key: KeyObject
  key_id: string
  file: string
  /** Every user of this machine can read the key. */
  readable_by_all: boolean
}

const VARIABLE = 'GOOGLE_SERVICE_ACCOUNT_FILE'

const KeyFile = z.object({
  type: z.literal('service_account', 'type must be "service_account"'),
  client_email: z.email('client_email is missing or no address').max(254).toLowerCase(),
  private_key: z.string('private_key is missing').min(1, 'private_key is missing'),
  private_key_id: z.string('private_key_id is missing').min(1, 'private_key_id is missing'),
})

/** Reads a service account's key file. Throws ConfigError that describes the fault without quoting the file. */
export function readServiceAccount(file: string): ServiceAccount {
  const { text, mode } = read(file)
  const parsed = KeyFile.safeParse(parse(file, text))
  if (!parsed.success) throw refuse(file, parsed.error.issues.map(({ message }) => message).join(', '))
  const { client_email: email, private_key, private_key_id: key_id } = parsed.data
  const readable_by_all = (mode & 0o004) !== 0
  return { email, key: keyOf(file, private_key), key_id, file, readable_by_all }
}

function read(file: string): { text: string; mode: number } {
  try {
    return { text: readFileSync(file, 'utf8'), mode: statSync(file).mode }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new ConfigError(`${VARIABLE}: ${file} cannot be read (${reason})`)
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message would quote the file.
    throw refuse(file, 'it is not JSON')
  }
}

function keyOf(file: string, pem: string): KeyObject {
  let key: KeyObject | undefined
  try {
    key = createPrivateKey(pem)
  } catch {
    throw refuse(file, 'private_key is no private key in PEM form')
  }
  if (key.asymmetricKeyType !== 'rsa') throw refuse(file, 'private_key is no RSA key')
  return key
}

const refuse = (file: string, reason: string) =>
  new ConfigError(`${VARIABLE}: ${file} is not the key file of a service account: ${reason}`)
