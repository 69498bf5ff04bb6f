import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { type CommandEnvironment, UsageError } from './command.ts'

const Login = z.object({ url: z.string(), token: z.string() })
export type Login = z.infer<typeof Login>

type Where = Pick<CommandEnvironment, 'env' | 'home'>

const fileOf = ({ env, home }: Where) =>
  join(env.XDG_CONFIG_HOME || join(home, '.config'), 'rowferry', 'login.json')

/** Server and token: from ROWFERRY_URL and ROWFERRY_TOKEN, else those that `login` stored. Throws UsageError if there are none. */
export async function readLogin(where: Where): Promise<Login> {
  const { ROWFERRY_URL: url, ROWFERRY_TOKEN: token } = where.env
  if (url && token) return { url: serverAddress(url), token }
  const stored = await readFile(fileOf(where), 'utf8').catch(() => null)
  const login = Login.safeParse(stored === null ? null : parsed(stored)).data
  if (!login) throw new UsageError(messages.log_in_first)
  // Never send a stored token to another server.
  if (url && serverAddress(url) !== login.url) throw new UsageError(messages.token_missing)
  return { ...login, ...(token ? { token } : {}) }
}

/** Stores server and token, readable only by this user. Returns the path of the file. */
export async function saveLogin(where: Where, login: Login): Promise<string> {
  const file = fileOf(where)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const part = `${file}.part`
  await rm(part, { force: true })
  await writeFile(part, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 })
  await rename(part, file)
  return file
}

export const forgetLogin = (where: Where): Promise<void> => rm(fileOf(where), { force: true })

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Origin of a server. Throws UsageError if the URL is invalid, or would send a token unencrypted over a network. */
export function serverAddress(text: string): string {
  if (!URL.canParse(text)) throw new UsageError(messages.no_address(text))
  const { protocol, hostname, origin } = new URL(text)
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))) return origin
  throw new UsageError(messages.https_wanted)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
