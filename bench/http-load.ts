// Requests a URL repeatedly over persistent connections, with a pause after each reply, until the time is over or the process gets
// a signal. Prints replies per second and the 99th percentile in ms as JSON. All connections together send at most 4,500 requests per
// second, because the rate limit is 50,000 requests per address in ten seconds.
//   node bench/http-load.ts <url> <cookie> <seconds> <connections> [pause in ms] [Accept-Encoding]
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

const [url = '', cookie = '', seconds = '5', connections = '8', pause = '0', accept] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })
const began = performance.now()
let until = began + Number(seconds) * 1000
process.once('SIGTERM', () => {
  until = 0
})
const MAX_PER_SECOND = 4_500
const times: number[] = []
let asked = 0
const headers = { cookie, ...(accept !== undefined && { 'accept-encoding': accept }) }

const ask = () =>
  new Promise<void>((resolve, reject) => {
    const began = performance.now()
    get(url, { agent, headers }, (reply) => {
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
    while (performance.now() < until) {
      const wait = began + (asked * 1000) / MAX_PER_SECOND - performance.now()
      asked += 1
      if (wait > 1) await delay(wait)
      await ask()
      if (pause !== '0') await delay(Number(pause))
    }
  }),
)
agent.destroy()
times.sort((a, b) => a - b)
console.log(
  JSON.stringify({
    per_second: (times.length * 1000) / (performance.now() - began),
    p99_ms: times[Math.floor(times.length * 0.99)],
  }),
)
