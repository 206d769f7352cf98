import type { Reply, Send } from '@/lib/testing/api-servers'

export type Load = {
  /** Ends the clients, and returns what was wrong. */
  stop: () => Promise<string[]>
}

/** Of each client, however short the work that they accompany. */
const MIN_STEPS = 3

/**
 * Clients that create, read, change, count and delete records of their own, until they are stopped. Each checks that it sees
 * everything that it did, whichever server it asks: `client` is a text field of the entity, `step` an integer.
 */
export function startLoad(send: Send, entity: string, clients = 3): Load {
  let stopped = false
  const faults: string[] = []
  const ask = (call: Parameters<Send>[0]): Promise<Reply> =>
    send({ ...call, path: `/api/entities/${entity}${call.path}` })
  const expectThat = (right: boolean, what: string, { status, body }: Reply) => {
    if (!right) faults.push(`${what}: ${status} ${JSON.stringify(body).slice(0, 300)}`)
  }
  const client = async (name: string) => {
    let kept = 0
    for (let step = 0; !stopped || step < MIN_STEPS; step++) {
      const made = await ask({ path: '', method: 'POST', body: { client: name, step } })
      expectThat(made.status === 201, 'create', made)
      kept++
      const path = `/${made.body?.data?.[0]?.persistenceId}`
      const read = await ask({ path })
      expectThat(read.body?.data?.[0]?.step === step, `read of step ${step}`, read)
      const changed = await ask({ path, method: 'PATCH', body: { step: -step } })
      expectThat(changed.status === 200, 'change', changed)
      const page = await ask({ path: `?filter=client:eq:${name}&sort=step&size=1` })
      const seen = [page.body?.pagination?.total, page.body?.data?.[0]?.step]
      expectThat(seen[0] === kept && seen[1] === 0 - step, `page of ${kept}, ${-step}`, page)
      if (step % 3 !== 2) continue
      const removed = await ask({ path, method: 'DELETE' })
      expectThat(removed.status === 200, 'delete', removed)
      kept--
      const missing = await ask({ path })
      expectThat(missing.status === 404, 'read of what is gone', missing)
    }
  }
  const running = Promise.all(
    Array.from({ length: clients }, (_, n) =>
      client(`${n}-${crypto.randomUUID()}`).catch((error) => faults.push(String(error))),
    ),
  )
  return {
    stop: async () => {
      stopped = true
      await running
      return faults
    },
  }
}
