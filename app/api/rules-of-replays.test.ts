import { expect, test } from 'vitest'
import { policies } from '@/lib/db/schema'
import { call } from '@/lib/testing/request'
import { POST } from './entities/[entityName]/route'
import { allow, clerk, deps } from './entities/[entityName]/testing/branches'

const create = (headers: Record<string, string>, id: number) =>
  call(deps, POST, {
    ...{ method: 'POST', path: '/api/entities/Order', body: { id, margin: 666 } },
    params: { entityName: 'Order' },
    headers: { ...headers, 'Idempotency-Key': `order ${id}` },
  })

test('a kept response is not repeated to a caller whose rights have changed', async () => {
  await allow({ entities: ['Order'], actions: ['read', 'write'] })
  const headers = await clerk()
  expect((await create(headers, 7)).text).toContain('666')
  const repeated = await create(headers, 7)
  expect(repeated.headers.get('idempotency-replayed')).toBe('true')
  await deps.db.delete(policies)
  await allow({ entities: ['Order'], actions: ['write'] })
  await allow({ entities: ['Order'], fields: { except: ['margin'] } })
  const refused = async () => {
    const { status, text } = await create(headers, 7)
    return [status, text.includes('666'), text.includes('took effect')]
  }
  await expect.poll(refused).toEqual([409, false, true])
})
