import { startProcesses } from './app-processes.ts'
import { runUntilStopped } from './launch.ts'
import { requireFreePort } from './ports.ts'
import { buildWeb } from './web-build.ts'

process.title = 'rowferry'
process.env.NODE_ENV ??= 'production'

await runUntilStopped(async (launch) => {
  const { host, port, sandboxPort, publicUrl, google, dataDir } = launch.config
  await requireFreePort('PORT', host, port)
  if (sandboxPort) await requireFreePort('SANDBOX_PORT', '127.0.0.1', sandboxPort)
  await buildWeb()
  const processes = await startProcesses(launch, { host, port })
  console.log(`Rowferry is ready at ${publicUrl}`)
  if (sandboxPort) console.log(`Sandbox mode: a local Google with demo spreadsheets is at ${google.issuer}`)
  console.log(`Data and logs are in ${dataDir}. Ctrl-C stops everything.`)
  return processes
})
