import type { APIRequestContext } from '@playwright/test'
import { makeImage } from '../lib/testing/images'
import { installSample } from './fixtures'
import { installProducts } from './products'
import { seedModel } from './seed-model'

/** Who has not used the link of their mail yet. */
export const INVITED = 'invited.by.mail@example.com'

/** Something of every kind that pages and overlays show: once on a server. */
export async function seedLittle(api: APIRequestContext): Promise<void> {
  if ((await api.get('/api/entities/Ware/columns')).ok()) return
  await installSample(api, 'world-airports')
  await installSample(api, 'broken-example')
  const buffer = await makeImage('png', { width: 320, height: 240 })
  const file = { name: 'boot.png', mimeType: 'image/png', buffer }
  const multipart = { namespace: 'goods', assetId: 'boot', file }
  const uploaded = await api.post('/api/images/upload', { multipart })
  const { secureUri } = [(await uploaded.json()).data].flat()[0]
  await installProducts(api, 'Ware', `,"photo":${JSON.stringify(secureUri)}`)
  const password = 'words of a person'
  await api.post('/api/users/init', {
    data: { email: INVITED, password, roles: ['VIEWER'], profile: { desk: 7 } },
  })
  const params = 'sort=name:desc'
  const view = { entity: 'Airport', name: 'By name', visibility: 'everyone', params }
  await api.post('/api/views', { data: view })
  const query = [{ field: 'id', operator: 'eq', value: 'b' }]
  await api.delete('/api/entities/Ware/batch?undo=7d', { data: { entity: 'Ware', query } })
  await seedModel(api)
}
