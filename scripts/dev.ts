import { createServer } from 'vite'
import { freePort } from '../src/server/platform/free-port.ts'
import { startProcesses } from './app-processes.ts'
import { runUntilStopped } from './launch.ts'
import { requireFreePort } from './ports.ts'
import { buildWeb } from './web-build.ts'

// Paths of the api process. Vite serves everything else.
const API_PATHS = ['/api', '/auth', '/dev/logs', '/csv_jobs', '/healthz', '/readyz', '/metrics', '/mcp']

process.title = 'rowferry dev'

await runUntilStopped(async (launch) => {
  const { host, port, sandboxPort, publicUrl, google } = launch.config
  await requireFreePort('PORT', host, port)
  if (sandboxPort) await requireFreePort('SANDBOX_PORT', '127.0.0.1', sandboxPort)
  await buildWeb()
  const apiPort = await freePort()
  // Server processes restart when one of their files changes.
  const processes = await startProcesses(launch, { host: '127.0.0.1', port: apiPort }, ['--watch'])
  const target = `http://127.0.0.1:${apiPort}`
  const before = process.listeners('SIGTERM')
  const vite = await createServer({
    root: 'src/web',
    server: {
      host,
      port,
      strictPort: true,
      proxy: Object.fromEntries(API_PATHS.map((path) => [path, { target, xfwd: true }])),
    },
  })
  // Vite's listener would exit before the child processes have ended.
  for (const listener of process.listeners('SIGTERM')) {
    if (!before.includes(listener)) process.off('SIGTERM', listener)
  }
  await vite.listen()
  console.log(`Rowferry is ready at ${publicUrl} and follows every change of its sources`)
  if (sandboxPort) console.log(`Sandbox mode: a local Google with demo spreadsheets is at ${google.issuer}`)
  return {
    stop: async () => {
      await vite.close()
      await processes.stop()
    },
  }
})
