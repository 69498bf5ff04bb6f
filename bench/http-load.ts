// Asks one address again and again over kept connections and prints, as JSON, answers per second and the 99th percentile in ms.
//   node bench/http-load.ts <url> <cookie> <seconds> <connections>
import { Agent, get } from 'node:http'

const [url = '', cookie = '', seconds = '5', connections = '8'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const until = performance.now() + Number(seconds) * 1000
const times: number[] = []

const ask = () =>
  new Promise<void>((resolve, reject) => {
    const began = performance.now()
    get(url, { agent, headers: { cookie } }, (reply) => {
      reply.resume()
      reply.on('end', () => {
        if (reply.statusCode !== 200) reject(new Error(`${url} answered ${reply.statusCode}`))
        times.push(performance.now() - began)
        resolve()
      })
    }).on('error', reject)
  })

await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (performance.now() < until) await ask()
  }),
)
agent.destroy()
times.sort((a, b) => a - b)
console.log(
  JSON.stringify({
    per_second: times.length / Number(seconds),
    p99_ms: times[Math.floor(times.length * 0.99)],
  }),
)
