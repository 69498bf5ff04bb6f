import { auth } from '../../contract/auth/calls.ts'
import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import { createClient, Refused } from '../client.ts'
import { type Command, EXIT, UsageError } from '../command.ts'
import { forgetLogin, saveLogin, serverAddress } from '../login-file.ts'

/** Stores which server and as whom. The token is typed or piped in, so that it is in no list of processes and no history. */
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
    context.say(messages.logged_in(user.email, url, file))
    context.tell({ url, user })
    return EXIT.ok
  },
}

/** Forgets what `login` has stored. */
export const logout: Command = {
  summary: 'Forget the server and the token',
  args: [],
  local: true,
  run: async (context) => {
    await forgetLogin(context)
    context.say(messages.logged_out)
    context.tell({})
    return EXIT.ok
  },
}
