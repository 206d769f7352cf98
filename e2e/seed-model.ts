import type { APIRequestContext } from '@playwright/test'
import { receiverPort } from './server-settings'

const AIRPORTS = 'com.ourairports.world-airports'
/** Of a key that was made for this. */
const PUBLIC_KEY = 'RWTPB7vXrSjdfRAKSZfdeEu807ZJvK1V1G16UebLCkfL0AQH8/XlDeMV'

/** What people change in models, whom they trust, and another server: once on a server, after `seedLittle`. */
export async function seedModel(api: APIRequestContext): Promise<void> {
  await localModel(api)
  await changeAirports(api)
  const publishers = [{ name: 'Acme', publicKey: PUBLIC_KEY, expiresAt: '2100-01-01T00:00:00Z' }]
  for (const data of publishers) await made(api.post('/api/publishers', { data }))
  for (const name of ['Staging', 'A server with quite a long name of its own']) {
    const url = `http://127.0.0.1:${receiverPort()}/${name.length}`
    await made(api.post('/api/servers', { data: { name, url, key: 'eng_of_another_server' } }))
  }
}

async function localModel(api: APIRequestContext): Promise<void> {
  const types = [
    { name: 'Grade', baseType: 'string', meta: { enum: ['A', 'B', 'C'] } },
    { name: 'ShareOf100', baseType: 'decimal', meta: { min: 0, max: 100 } },
  ]
  const properties = [
    { name: 'title', type: 'string' },
    { name: 'grade', type: 'Grade' },
    { name: 'share', type: 'ShareOf100' },
  ]
  const data = {
    types,
    schemas: [{ name: 'Survey', properties }],
    entities: [{ name: 'Survey' }],
  }
  await made(api.post('/api/model/apply', { data }))
}

/** A field more in the plugin of another author. */
async function changeAirports(api: APIRequestContext): Promise<void> {
  const answer = await api.get('/api/entities/Airport/definition')
  const { schema } = (await answer.json()).data[0]
  const properties = [...schema.properties, { name: 'openedOn', type: 'date', label: 'Opened' }]
  const changed = { plugin: AIRPORTS, schemas: [{ ...schema, properties }] }
  await made(api.post('/api/model/apply', { data: changed }))
}

async function made(sent: ReturnType<APIRequestContext['post']>): Promise<void> {
  const response = await sent
  if (!response.ok()) throw new Error(await response.text())
}
