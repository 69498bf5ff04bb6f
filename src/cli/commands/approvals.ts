import { type Approval, approvals as calls } from '../../contract/approvals/calls.ts'
import { approvalMessages } from '../../contract/approvals/client-messages.ts'
import { cliMessages as messages } from '../../contract/cli/client-messages.ts'
import type { Client } from '../client.ts'
import { type Command, type Context, EXIT, UsageError } from '../command.ts'
import { findOne } from '../tasks.ts'
import { localTime, table, visible } from '../text.ts'

/** Lists what needs an approval. */
export const approvals: Command = {
  summary: 'List what needs an approval: new rows, runs beyond a limit, cells that a task does not own',
  args: [],
  run: async ({ client, zone, print, printJson }) => {
    const reply = await client.call(calls.list, {})
    printJson(reply)
    const rows = reply.approvals.map(({ task, kind, reason, at }) => [
      String(task.id),
      approvalMessages.kinds[kind],
      task.name,
      localTime(at, zone),
      reason,
    ])
    if (rows.length === 0) print(approvalMessages.none)
    else for (const line of table(['ID', 'KIND', 'TASK', 'SINCE', 'REASON'], rows)) print(line)
    for (const { task, is_approved, by, at } of reply.decisions)
      print(
        `${visible(task.name)}: ${approvalMessages.decided(is_approved, visible(by), localTime(at, zone))}`,
      )
    return EXIT.ok
  },
}

const deciding = (action: 'approve' | 'reject', summary: string): Command => ({
  summary,
  args: ['TASK'],
  run: async (context: Context) => {
    const { client, args, print, printJson } = context
    const { task, version } = await findApproval(client, args[0] ?? '')
    const reply = await client.call(calls[action], { params: { id: task.id }, body: { version } })
    print(visible(reply.message))
    printJson(reply)
    return EXIT.ok
  },
})

/** Approves exactly what the list shows, or refuses if it has changed since. */
export const approve = deciding('approve', 'Approve what a task waits for: accept its rows, or run it once')
export const reject = deciding('reject', 'Reject what a task waits for, until its runs find something else')

/** Finds what a task waits for, by its number or name. Throws UsageError. */
async function findApproval(client: Client, text: string): Promise<Approval> {
  if (text === '') throw new UsageError(messages.wanted('TASK'))
  const { approvals: listed } = await client.call(calls.list, {})
  const named = listed.map((approval) => ({
    ...approval,
    name: approval.task.name,
    category: approval.task.category,
  }))
  return findOne(named, text, ({ task }) => task.id, messages.no_approval(text))
}
