import cluster from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { metrics } from './metrics'

type Question = { engineMetrics: number }
type Answer = Question & { text: string }

const ANSWER_MS = 6_000
let questions = 0

/** In the process that started the workers: adds up their metrics whenever one of them asks. */
export function serveClusterMetrics(): void {
  const aggregator = new AggregatorRegistry()
  cluster.on('message', (worker, message: Partial<Question>) => {
    const { engineMetrics } = message
    if (engineMetrics === undefined) return
    const answer = (text: string) => worker.isConnected() && worker.send({ engineMetrics, text })
    aggregator.clusterMetrics().then(answer, () => answer(''))
  })
}

/** In a worker: lets its metrics be asked for. */
export function shareMetrics(): void {
  AggregatorRegistry.setRegistries([metrics().registry])
  new AggregatorRegistry()
}

/** In a worker: the metrics of all of them, in the text format; null without other workers, and in one that is being replaced. */
export async function clusterMetrics(): Promise<string | null> {
  if (!cluster.isWorker || !process.connected) return null
  const engineMetrics = questions++
  return new Promise((resolve, reject) => {
    const take = (message: Partial<Answer>) => {
      if (message.engineMetrics !== engineMetrics) return
      clearTimeout(timer)
      process.off('message', take)
      resolve(message.text || null)
    }
    const timer = setTimeout(() => {
      process.off('message', take)
      reject(new Error('The other workers did not send their metrics'))
    }, ANSWER_MS)
    process.on('message', take)
    process.send?.({ engineMetrics })
  })
}
