import { auth } from '../../contract/auth/calls.ts'
import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { createClient, Refused } from '../client.ts'
import { type Command, EXIT, UsageError } from '../command.ts'
import { forgetLogin, saveLogin, serverAddress } from '../login-file.ts'

/** Stores server and token. The token is read from standard input, so it is in no process list and no shell history. */
export const login: Command = {
  summary: 'Store the server and a token',
  args: ['URL'],
  local: true,
  run: async (context) => {
    const url = serverAddress(context.args[0] ?? '')
    const token = await context.readSecret(messages.token_question)
    if (!token) throw new UsageError(messages.no_token)
    const client = createClient({ url, token, signal: context.signal })
    const { user } = await client.call(auth.check, {})
    if (!user) throw new Refused(401, messages.token_refused)
    const file = await saveLogin(context, { url, token })
    context.print(messages.logged_in(user.email, url, file))
    context.printJson({ url, user })
    return EXIT.ok
  },
}

/** Deletes the stored server and token. */
export const logout: Command = {
  summary: 'Forget the server and the token',
  args: [],
  local: true,
  run: async (context) => {
    await forgetLogin(context)
    context.print(messages.logged_out)
    context.printJson({})
    return EXIT.ok
  },
}
