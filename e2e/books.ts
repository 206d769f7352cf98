import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect } from './fixtures'

export const ROWS = 150

/** An entity of its own for each test: `name` with 150 records, and the entity it refers to. */
export async function installBooks(api: APIRequestContext, name: string): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  const kinds = ['novel', 'atlas', 'poem']
  put('engineplugin.json', { id: `test.${name}`, name, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  put(`EngineSchemas/${name}.json`, {
    name,
    properties: [
      { name: 'title', type: 'string', required: true, maxLength: 60 },
      { name: 'kind', type: 'string', enum: kinds },
      { name: 'pages', type: 'integer', min: 1 },
      { name: 'lent', type: 'boolean' },
      { name: 'bought', type: 'datetime' },
      { name: 'room', type: 'string', reference: { entity: `${name}Room`, field: 'code' } },
    ],
  })
  put(`EngineSchemas/${name}Room.json`, {
    name: `${name}Room`,
    properties: [{ name: 'floor', type: 'integer' }],
  })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  put(`EngineEntities/${name}.json`, { name })
  const pks = [{ key: 'code', strategy: 'Fixed', type: 'string' }]
  put(`EngineEntities/${name}Room.json`, { name: `${name}Room`, pks })
  put(`${name}Room/__manifest__.json`, { target: `${name}Room` })
  put(`${name}Room/data.json`, [{ code: 'A1', floor: 7 }])
  put(`${name}/__manifest__.json`, { target: name, dependencies: [`${name}Room`] })
  const records = Array.from({ length: ROWS }, (_, i) => ({
    title: `Book ${String(i).padStart(3, '0')}`,
    kind: kinds[i % 3],
    pages: i + 1,
    lent: i % 2 === 0,
    bought: new Date(Date.UTC(2020, 0, 1 + i)).toISOString(),
    room: 'A1',
  }))
  put(`${name}/data.json`, records)
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  const { data } = await response.json()
  expect(data.failedCount, JSON.stringify(data)).toBe(0)
}

/** How many records match. */
export const totalOf = async (api: APIRequestContext, entity: string, query: unknown[] = []) => {
  const response = await api.post(`/api/entities/${entity}/count`, { data: { query } })
  return (await response.json()).data[0].count
}
