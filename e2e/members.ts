import type { APIRequestContext } from '@playwright/test'
import JSZip from 'jszip'
import { expect } from './fixtures'

/** An entity of people without records; each test has one of its own. */
export async function installMembers(
  api: APIRequestContext,
  name: string,
  more: readonly object[] = [],
): Promise<void> {
  const zip = new JSZip()
  const put = (path: string, value: unknown) => zip.file(path, JSON.stringify(value))
  put('engineplugin.json', { id: `test.${name}`, name, version: '1.0.0' })
  put('EngineSchemas/__manifest__.json', { target: 'EngineSchemas' })
  const properties = [
    { name: 'name', type: 'string', label: 'Full name', required: true, maxLength: 60 },
    { name: 'email', type: 'email', unique: true },
    { name: 'age', type: 'integer', min: 0 },
    { name: 'level', type: 'string', enum: ['bronze', 'gold'] },
    ...more,
  ]
  put(`EngineSchemas/${name}.json`, { name, additionalProperties: false, properties })
  put('EngineEntities/__manifest__.json', { target: 'EngineEntities' })
  put(`EngineEntities/${name}.json`, { name })
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  const file = { name: `${name}.zip`, mimeType: 'application/zip', buffer }
  const response = await api.post('/api/plugins/install/zip', { multipart: { file } })
  expect((await response.json()).data.failedCount).toBe(0)
}

/** A CSV file of that entity. */
export const people = (count: number) =>
  `Full name,E-Mail,age\n${Array.from({ length: count }, (_, n) => `Person ${n},p${n}@example.com,${n % 90}\n`).join('')}`
