import { expect, test } from 'vitest'
import {
  create as createBook,
  deps,
} from '@/app/api/entities/[entityName]/changes/testing/followed'
import { deliver } from '@/lib/webhooks/deliver'
import { queueChanges } from '@/lib/webhooks/queue-changes'
import { runningWebhooks } from '@/lib/webhooks/store'
import { receiver, status } from './testing/receiver'
import { allow, change, claimDue, log, made, read } from './testing/webhooks-api'

async function queued(id: string): Promise<number> {
  for (const webhook of await runningWebhooks(deps.db)) await queueChanges(deps, webhook)
  return (await log(id, 'entity=Book')).body.data.length
}

/** A webhook with two deliveries that are claimed. */
async function claimed(url: string) {
  const { id } = await made(url)
  for (const book of [1, 2]) await createBook({ id: book })
  // A change is queued once no transaction of the database server is older.
  await expect.poll(() => queued(id)).toBe(2)
  const [first, second] = await claimDue(id, 2)
  if (!first || !second) throw new Error('Not claimed')
  return { id, first, second }
}

/** An attempt that is about to send when this returns, and sends once it is let go, as behind a name server that is slow. */
async function aboutToSend(claim: Parameters<typeof deliver>[1]) {
  let letGo = () => {}
  const gate = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const { remote } = deps
  let ended = Promise.resolve()
  await new Promise<void>((arrived) => {
    const post: typeof remote.post = async (...sent) => {
      arrived()
      await gate
      return remote.post(...sent)
    }
    ended = deliver({ ...deps, remote: { ...remote, post } }, claim)
  })
  return () => {
    letGo()
    return ended
  }
}

const secondOf = async (id: string) => (await log(id, 'entity=Book&key=2')).body.data[0]

test('nothing is begun after a 410, of what was claimed before', async () => {
  const to = await receiver(status(410))
  allow([to.host])
  const { id, first, second } = await claimed(to.url)
  const send = await aboutToSend(second)
  await deliver(deps, first)
  await send()
  expect(to.keys()).toEqual(['record.created 1'])
  expect((await read(id)).stopped).toBe('removed')
  expect(await secondOf(id)).toMatchObject({ status: 'queued', attempts: 0, tries: [] })
})

test('a 410 stops the webhook before what comes after its status', async () => {
  let finish = () => {}
  const to = await receiver((response) => {
    finish = () => response.end()
    response.writeHead(410).write('gone')
  })
  allow([to.host])
  const { id, first, second } = await claimed(to.url)
  const send = await aboutToSend(second)
  const answered = deliver(deps, first)
  await expect.poll(async () => (await read(id)).stopped).toBe('removed')
  await send()
  finish()
  await answered
  expect(to.keys()).toEqual(['record.created 1'])
})

test('nothing is begun after somebody has paused the webhook, or to where it led before', async () => {
  const [to, other] = [await receiver(), await receiver()]
  allow([to.host, other.host])
  const { id, first, second } = await claimed(to.url)
  const [sendFirst, sendSecond] = [await aboutToSend(first), await aboutToSend(second)]
  await change(id, { enabled: false })
  await sendFirst()
  await change(id, { enabled: true, url: other.url })
  await sendSecond()
  expect([to.keys(), other.keys()]).toEqual([[], []])
  const [again] = await claimDue(id, 1)
  if (again) await deliver(deps, again)
  expect([to.keys(), other.keys()]).toEqual([[], ['record.created 1']])
})
