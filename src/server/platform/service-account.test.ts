import { generateKeyPairSync } from 'node:crypto'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../../../test/fixtures/folders.ts'
import { readConfig } from './config.ts'
import { withoutSecrets } from './secret-text.ts'

const folder = await testFolder()
const pem = (type: 'rsa' | 'ed25519') => {
  const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const
  const publicKeyEncoding = { type: 'spki', format: 'pem' } as const
  return type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding, publicKeyEncoding }).privateKey
    : generateKeyPairSync('ed25519', { privateKeyEncoding, publicKeyEncoding }).privateKey
}
const good = {
  type: 'service_account',
  client_email: 'Copier@project.iam.gserviceaccount.com',
  private_key: pem('rsa'),
  private_key_id: 'abc',
}

async function configOf(content: string) {
  const file = join(folder, 'key.json')
  await writeFile(file, content)
  await chmod(file, 0o600)
  return readConfig({ DATA_DIR: folder, GOOGLE_SERVICE_ACCOUNT_FILE: file })
}

test('a key file is read at start, and the key is not in its printed form', async () => {
  const { google } = await configOf(JSON.stringify(good))
  expect(google.serviceAccount).toMatchObject({
    email: 'copier@project.iam.gserviceaccount.com',
    key_id: 'abc',
    readable_by_all: false,
  })
  expect(JSON.stringify(google)).not.toContain('PRIVATE')
  await chmod(join(folder, 'key.json'), 0o644)
  const open = readConfig({ DATA_DIR: folder, GOOGLE_SERVICE_ACCOUNT_FILE: join(folder, 'key.json') })
  expect(open.google.serviceAccount?.readable_by_all).toBe(true)
})

test.each([
  ['no JSON', `{"private_key": "${'secret'.repeat(9)}"`, 'it is not JSON'],
  ['no object', '[]', 'Invalid input'],
  [
    'a person’s credentials',
    JSON.stringify({ ...good, type: 'authorized_user' }),
    'type must be "service_account"',
  ],
  ['no address', JSON.stringify({ ...good, client_email: undefined }), 'client_email is missing'],
  ['no key', JSON.stringify({ ...good, private_key: undefined }), 'private_key is missing'],
  [
    'a broken key',
    JSON.stringify({ ...good, private_key: 'secret' }),
    'private_key is no private key in PEM form',
  ],
  [
    'another kind of key',
    JSON.stringify({ ...good, private_key: pem('ed25519') }),
    'private_key is no RSA key',
  ],
])('%s prevents the start with a message that does not quote the file', async (_, content, reason) => {
  const refusal = await configOf(content).catch((error: unknown) => String(error))
  expect(refusal).toContain('ConfigError: GOOGLE_SERVICE_ACCOUNT_FILE: ')
  expect(refusal).toContain(reason)
  expect(refusal).not.toMatch(/secret|PRIVATE KEY/)
})

test('a file that cannot be read is named', () => {
  const file = join(folder, 'missing.json')
  expect(() => readConfig({ DATA_DIR: folder, GOOGLE_SERVICE_ACCOUNT_FILE: file })).toThrow(
    `GOOGLE_SERVICE_ACCOUNT_FILE: ${file} cannot be read (ENOENT)`,
  )
})

test('a private key is masked in logs', () => {
  const logged = withoutSecrets(JSON.stringify({ text: JSON.stringify(good) }))
  expect(logged).toContain('-----BEGIN PRIVATE KEY-----[secret]')
  expect(logged).not.toContain(good.private_key.split('\n')[2])
})
