import { expect, test } from 'vitest'
import {
  create as createBook,
  deps,
} from '@/app/api/entities/[entityName]/changes/testing/followed'
import { install } from '@/app/api/plugins/testing/plugin-api'
import { pluginFiles } from '@/lib/testing/archive'
import { queueChanges } from '@/lib/webhooks/queue-changes'
import { runningWebhooks } from '@/lib/webhooks/store'
import { receiver } from './testing/receiver'
import { allow, made, read, startSending } from './testing/webhooks-api'

const volumes = pluginFiles({
  EngineEntities: {
    files: {
      'v.json': {
        ...{ name: 'Volume', renamedFrom: 'Book', engineSchema: 'Book', events: true },
        pks: [{ key: 'id', strategy: 'Fixed', type: 'number' }],
      },
    },
  },
})

test('an entity with another name goes on being sent, what waits included', async () => {
  const to = await receiver()
  allow([to.host])
  const { id } = await made(to.url)
  await createBook({ id: 1 })
  for (const webhook of await runningWebhooks(deps.db)) await queueChanges(deps, webhook)
  await createBook({ id: 2 })
  expect((await install(deps, volumes)).body.data).toMatchObject({ failedCount: 0 })
  startSending()
  await expect.poll(() => to.keys().sort()).toEqual(['record.created 1', 'record.created 2'])
  for (const { json } of to.received) expect(json.data).toMatchObject({ entity: 'Volume' })
  expect((await read(id)).entities).toEqual(['Volume'])
})
